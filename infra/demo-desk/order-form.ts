import { customersOf } from "./customers.ts";
import type { DeskOptions } from "./desk-options.ts";
import type { Box, Canvas } from "./drawing/canvas.ts";
import { lineHeight, textWidth } from "./drawing/font.ts";
import { Button } from "./widgets/button.ts";
import { Entry } from "./widgets/entry.ts";
import { List } from "./widgets/list.ts";
import type { Look, Widget } from "./widgets/widget.ts";

export const windowSize = { width: 880, height: 640 };
export const titleBarHeight = 34;
const fieldLeft = 430;
const fieldWidth = 434;

export interface FormActs {
  search(): void;
  selectCustomer(row: number): void;
  save(): void;
  clear(): void;
  export(): void;
  close(): void;
}

export type OrderForm = ReturnType<typeof createOrderForm>;

export function createOrderForm(options: DeskOptions, acts: FormActs) {
  const hint = (text: string) => (options.blank ? {} : { hint: text });
  const field = (name: string, y: number, more: Partial<ConstructorParameters<typeof Entry>[0]> = {}) =>
    new Entry({ name, bounds: { x: fieldLeft, y, width: fieldWidth, height: 32 }, ...more });
  const customers = new List({
    name: "customers",
    bounds: { x: 16, y: 146, width: 282, height: 454 },
    rowHeight: 25,
    columns: [8, 128, 214],
    scrolled: options.scrolled,
    onSelect: acts.selectCustomer,
  });
  customers.show(rowsOf(customersOf(options.rows)), undefined);
  return {
    search: new Entry({
      name: "search",
      bounds: { x: 16, y: 104, width: 282, height: 32 },
      hint: "Search customers",
      onChange: acts.search,
      onReturn: () => {},
    }),
    customers,
    customer: field("customer", 104, { isReadOnly: true }),
    item: field("item", 146, hint("Title")),
    quantity: field("quantity", 188, {
      ...hint("1, 2 …"),
      bounds: { x: fieldLeft, y: 188, width: 120, height: 32 },
    }),
    pin: field("pin", 230, {
      ...hint("Code"),
      isMasked: true,
      bounds: { x: fieldLeft, y: 230, width: 120, height: 32 },
    }),
    note: field("note", 272, {
      isMultiline: true,
      bounds: { x: fieldLeft, y: 272, width: fieldWidth, height: 68 },
    }),
    save: new Button({
      name: "save",
      label: "Save",
      isMain: true,
      isEnabled: options.save !== "disabled",
      bounds: { x: fieldLeft, y: 354, width: 120, height: 36 },
      act: acts.save,
    }),
    clear: new Button({
      name: "clear",
      label: "Clear",
      bounds: { x: fieldLeft + 134, y: 354, width: 100, height: 36 },
      act: acts.clear,
    }),
    number: new Entry({
      name: "number",
      bounds: { x: 744, y: 404, width: 120, height: 32 },
      isReadOnly: true,
    }),
    orders: new List({
      name: "orders",
      bounds: { x: 322, y: 474, width: 542, height: 79 },
      rowHeight: 25,
      columns: [8, 70, 230, 480],
    }),
    path: new Entry({
      name: "path",
      bounds: { x: 402, y: 566, width: 346, height: 32 },
      text: "~/Transfers/orders.csv",
      onReturn: acts.export,
    }),
    export: new Button({
      name: "export",
      label: "Export",
      bounds: { x: 764, y: 566, width: 100, height: 32 },
      act: acts.export,
    }),
    close: new Button({
      name: "close",
      label: "×",
      isFlat: true,
      bounds: { x: windowSize.width - 42, y: 3, width: 38, height: 28 },
      act: acts.close,
    }),
  };
}

export function createLabels(form: OrderForm): readonly Label[] {
  return [
    new Label("Customer", form.customer),
    new Label("Item", form.item),
    new Label("Quantity", form.quantity),
    new Label("PIN", form.pin),
    new Label("Note", form.note),
    new Label("Number", form.number),
    new Label("Export to", form.path),
  ];
}

export function rowsOf(
  customers: readonly { readonly name: string; readonly city: string; readonly code: string }[],
): readonly (readonly string[])[] {
  return customers.map(({ name, city, code }) => [name, city, code]);
}

const gap = 20;
const drop = 7;

/** A click on the label gives the field the keyboard and selects all of its text. */
class Label implements Widget {
  readonly name: string;
  readonly bounds: Box;
  readonly takesFocus = false;
  readonly labelled: Widget;
  readonly #text: string;

  constructor(text: string, labelled: Widget) {
    const { x, y } = labelled.bounds;
    const width = textWidth(text);
    this.name = `${labelled.name} label`;
    this.bounds = { x: x - gap - width, y: y + drop, width, height: lineHeight };
    this.labelled = labelled;
    this.#text = text;
  }

  draw(canvas: Canvas, { theme }: Look): void {
    canvas.text({ x: 0, y: 0 }, this.#text, { color: theme.faintText });
  }
}
