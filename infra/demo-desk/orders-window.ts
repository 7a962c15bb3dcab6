import type { Point } from "../driver/screens/screen.ts";
import { type Customer, customersOf } from "./customers.ts";
import type { DeskOptions } from "./desk-options.ts";
import type { OrderBook } from "./order-book.ts";
import {
  createLabels,
  createOrderForm,
  type OrderForm,
  rowsOf,
  titleBarHeight,
  windowSize,
} from "./order-form.ts";
import { Dialog } from "./widgets/dialog.ts";
import type { KeyPress } from "./widgets/key-press.ts";
import { MenuBar } from "./widgets/menu-bar.ts";
import { Panel } from "./widgets/panel.ts";
import type { Widget } from "./widgets/widget.ts";

export interface OrdersWindowOptions {
  readonly options: DeskOptions;
  readonly book: OrderBook;
  readonly exportTo: ((path: string, text: string) => Promise<void>) | undefined;
  readonly close: () => void;
}

export interface Status {
  readonly kind: "plain" | "bad";
  readonly text: string;
}

export class OrdersWindow {
  readonly form: OrderForm;
  readonly menus: MenuBar;
  readonly panel: Panel;
  readonly options: DeskOptions;
  dialog: Dialog | undefined;
  status: Status = { kind: "plain", text: "Ready" };
  confirmed: number | undefined;
  idle: Promise<void> = Promise.resolve();
  readonly #book: OrderBook;
  readonly #ordersBefore: number;
  readonly #exportTo: OrdersWindowOptions["exportTo"];
  readonly #close: () => void;
  #listed: readonly Customer[];
  #customer: Customer | undefined;

  constructor({ options, book, exportTo, close }: OrdersWindowOptions) {
    this.options = options;
    this.#book = book;
    this.#ordersBefore = book.orders.length;
    this.#exportTo = exportTo;
    this.#close = close;
    this.#listed = customersOf(options.rows);
    this.form = createOrderForm(options, {
      search: () => this.#search(),
      selectCustomer: (row) => this.#select(options.selectsNext ? row + 1 : row),
      save: () => this.#save(),
      clear: () => this.#clear(),
      export: () => this.#export(),
      close,
    });
    const { close: closeButton, ...inOrder } = this.form;
    this.panel = new Panel({
      widgets: [...Object.values<Widget>(inOrder), closeButton, ...createLabels(this.form)],
      main: this.form.save,
      losesFocus: options.losesFocus,
      hovered: options.hovered,
    });
    this.menus = new MenuBar({ x: 1, y: titleBarHeight, width: windowSize.width - 2, height: 27 }, [
      {
        title: "File",
        items: [
          { label: "New order", shortcut: "ctrl+n", act: () => this.#clear() },
          { label: "Export", shortcut: "ctrl+e", act: () => this.#export() },
          { label: "Quit", shortcut: "ctrl+q", act: close },
        ],
      },
      { title: "Help", items: [{ label: "About", act: () => this.#showAbout() }] },
    ]);
    if (options.selected !== undefined) this.#show(options.selected);
    if (options.dialog === "open") this.#showNews();
  }

  get focused(): Widget | undefined {
    return this.#front.focused;
  }

  press(at: Point, isSecond: boolean): void {
    if (this.dialog === undefined && this.menus.press(at)) return;
    this.#front.press(at, isSecond);
  }

  release(at: Point): void {
    this.#front.release(at);
  }

  scroll(at: Point, rows: number): void {
    if (!this.menus.isOpen) this.#front.scroll(at, rows);
  }

  key(key: KeyPress): void {
    if (this.menus.isOpen) {
      if (key.name === "Escape") this.menus.close();
      return;
    }
    const shortcut = key.isCtrl ? this.#shortcuts[key.character?.toLowerCase() ?? ""] : undefined;
    if (shortcut === undefined) this.#front.key(key);
    else if (this.dialog === undefined) shortcut();
  }

  type(character: string): void {
    if (!this.menus.isOpen) this.#front.type(character);
  }

  readonly #shortcuts: Readonly<Record<string, () => void>> = {
    n: () => this.#clear(),
    e: () => this.#export(),
    q: () => this.#close(),
    s: () => this.form.save.activate(),
  };

  get #front(): Panel {
    return this.dialog?.panel ?? this.panel;
  }

  #say(text: string, kind: Status["kind"] = "plain"): void {
    this.status = { kind, text };
  }

  #search(): void {
    const wanted = this.form.search.text.trim().toLowerCase();
    this.#listed = customersOf(this.options.rows).filter(({ name, city, code }) =>
      `${name} ${city} ${code}`.toLowerCase().includes(wanted),
    );
    const row = this.#listed.findIndex(({ name }) => name === this.#customer?.name);
    this.form.customers.show(rowsOf(this.#listed), row < 0 ? undefined : row);
    this.#say(`${this.#listed.length} customers`);
  }

  #select(row: number): void {
    this.#show(row);
    if (this.options.dialog === "customer") this.#showNews();
  }

  #show(row: number): void {
    const customer = this.#listed[row];
    if (customer === undefined) return;
    this.#customer = customer;
    this.form.customers.select(row);
    this.form.customer.text = `${customer.name}, ${customer.city}`;
    this.#say(`${customer.code} selected`);
  }

  #save(): void {
    const { item, quantity, pin, note } = this.form;
    const problem = this.#problem();
    if (problem !== undefined) {
      this.#say(problem, "bad");
      return;
    }
    if (this.options.dialog === "save" && this.dialog === undefined) {
      this.#askWhetherToSave();
      return;
    }
    if (this.options.save === "broken") return;
    const order = this.#book.add({
      customer: this.#customer?.name ?? "",
      item: item.text.trim(),
      quantity: Number(quantity.text),
      note: note.text,
    });
    for (const field of [item, quantity, pin, note]) field.text = "";
    this.confirmed = order.number;
    this.form.number.text = String(order.number);
    this.form.orders.show(this.#orderRows(), undefined);
    this.#say(`Order ${order.number} saved`);
  }

  #problem(): string | undefined {
    const { item, quantity, pin } = this.form;
    if (this.#customer === undefined) return "Select a customer first";
    if (item.text.trim() === "") return "Item is missing";
    if (!/^[1-9]\d{0,5}$/.test(quantity.text)) return "Quantity must be a whole number from 1";
    return pin.text.length < 4 ? "The PIN has at least four characters" : undefined;
  }

  #orderRows(): readonly (readonly string[])[] {
    return this.#book.orders
      .slice(this.#ordersBefore)
      .map(({ number, customer, item, quantity }) => [String(number), customer, item, String(quantity)])
      .reverse();
  }

  #clear(): void {
    const { item, quantity, pin, note, number, customer } = this.form;
    for (const field of [item, quantity, pin, note, number, customer]) field.text = "";
    this.#customer = undefined;
    this.form.customers.select(undefined);
    this.confirmed = undefined;
    this.#say("Ready");
  }

  #export(): void {
    const path = this.form.path.text.trim();
    if (this.#exportTo === undefined) {
      this.#say("This desk has no files", "bad");
      return;
    }
    const written = this.#exportTo(path, this.#book.toCsv()).then(
      () => this.#say(`Exported to ${path}: ${this.#book.orders.length}`),
      (error: unknown) => this.#say(error instanceof Error ? error.message : "not exported", "bad"),
    );
    this.idle = Promise.all([this.idle, written]).then(() => {});
  }

  #ask(dialog: Omit<ConstructorParameters<typeof Dialog>[0], "over" | "isDimmed">): void {
    const answers = dialog.answers.map((answer) => ({
      ...answer,
      act: () => {
        answer.act();
        this.dialog = undefined;
      },
    }));
    this.dialog = new Dialog({ ...dialog, answers, over: windowSize, isDimmed: this.options.dimmed });
  }

  #showNews(): void {
    this.#ask({
      title: "Update available",
      lines: ["A new version of Orders is ready.", "Install it now?"],
      answers: [
        { name: "install", label: "Install", act: () => this.#say("The update follows tonight") },
        { name: "later", label: "Later", act: () => {} },
      ],
    });
  }

  #askWhetherToSave(): void {
    this.#ask({
      title: "Save order",
      lines: ["This customer has an open order.", "Save another one?"],
      answers: [
        { name: "yes", label: "Save", act: () => this.#save() },
        { name: "no", label: "Cancel", act: () => this.#say("Not saved") },
      ],
    });
  }

  #showAbout(): void {
    this.#ask({
      title: "About Orders",
      lines: ["The demo program of a simulated desktop.", "Nothing here is real."],
      answers: [{ name: "ok", label: "OK", act: () => {} }],
    });
  }
}
