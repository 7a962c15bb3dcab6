export interface Order {
  readonly number: number;
  readonly customer: string;
  readonly item: string;
  readonly quantity: number;
  readonly note: string;
}

export class OrderBook {
  readonly #orders: Order[] = [];
  #next: number;

  constructor(firstNumber: number) {
    this.#next = firstNumber;
  }

  get orders(): readonly Order[] {
    return this.#orders;
  }

  add(order: Omit<Order, "number">): Order {
    const added = { number: this.#next, ...order };
    this.#next += 1;
    this.#orders.push(added);
    return added;
  }

  toCsv(): string {
    const lines = this.#orders.map(({ number, customer, item, quantity, note }) =>
      [String(number), customer, item, String(quantity), note].map(csvField).join(","),
    );
    return `${["number,customer,item,quantity,note", ...lines].join("\r\n")}\r\n`;
  }
}

/** Source: RFC 4180. */
function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
