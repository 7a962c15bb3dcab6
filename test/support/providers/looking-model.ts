import { themes } from "../../../infra/demo-desk/drawing/theme.ts";
import type { Json, JsonObject } from "../../../shared/domain/json.ts";
import type { Picture, Point } from "../../../shared/domain/picture/picture.ts";
import { colorAt, middleOf, type SeenText, seeText } from "./see-text.ts";

export interface Situation {
  readonly task: string;
  readonly picture: Picture;
  readonly results: readonly {
    readonly toolName: string;
    readonly isError: boolean;
    readonly text: string;
  }[];
}

export interface ToolUse {
  readonly name: string;
  readonly args: JsonObject;
}

const theme = themes.light;
const plain = { color: theme.text };
const faint = { color: theme.faintText };
const heading = { color: theme.text, isBold: true };

const hidden = 0x808080;

/** Distance from a label to its field, and from the field's edge to its text. */
const besideLabel = 20;
const intoField = 30;

/**
 * A model that looks at the picture in its request, finds the demo desk's fields, texts and buttons on it, and decides
 * the task's next action. It has no memory.
 */
export function decideByLooking({ task, picture, results }: Situation): ToolUse {
  const orders = [...task.matchAll(/order for (.+?): (\S+) of (.+?), with the PIN (\{\$[\w.]+\})/g)];
  if (orders.length === 0) return fail("the task names no order");
  const dialog = answerDialog(picture);
  if (dialog !== undefined) return dialog;
  if (one(picture, "New order", heading) === undefined) return openProgram(picture);
  const saved = orders.findLastIndex(([, , , item = ""]) => one(picture, item, faint) !== undefined) + 1;
  const isCopied = results.some(({ toolName, isError }) => toolName === "copy_to_clipboard" && !isError);
  if (isCopied && saved === orders.length) return use("finish", { output: outputOf(orders) });
  const item = fieldBeside(picture, "Item");
  const isBegun = isCopied || item?.isFilled === true || item?.isFocused === true;
  if (saved > 0 && !isBegun) return copyNumber(picture, nameOf(saved - 1));
  return makeOrder(picture, orders[saved] ?? []);
}

function nameOf(at: number): string {
  return at === 0 ? "order_number" : `order_number_${at + 1}`;
}

function outputOf(orders: readonly (readonly string[])[]): Json {
  const made = orders.map(([, , quantity = "", item = ""], at) => ({
    order_number: `{${nameOf(at)}}`,
    item,
    quantity,
  }));
  return made.length === 1 ? (made[0] ?? null) : made;
}

function makeOrder(picture: Picture, order: readonly string[]): ToolUse {
  const [, customer = "", quantity = "", item = "", pin = ""] = order;
  const named = fieldBeside(picture, "Customer");
  if (named === undefined) return fail("there is no field Customer");
  if (!named.isFilled) return selectCustomer(picture, customer);
  const wanted = [
    ["Item", item],
    ["Quantity", quantity],
    ["PIN", pin],
  ] as const;
  for (const [label, text] of wanted) {
    const field = fieldBeside(picture, label);
    if (field === undefined) return fail(`there is no field ${label}`);
    if (field.isFilled) continue;
    const target = `the field ${label}`;
    return field.isFocused ? use("type", { text, target }) : click(field.middle, target);
  }
  const save = one(picture, "Save", { color: theme.accentText, isBold: true });
  return save === undefined
    ? fail("the button Save cannot be used")
    : click(middleOf(save), "the button Save");
}

function answerDialog(picture: Picture): ToolUse | undefined {
  if (one(picture, "Update available", heading) !== undefined) {
    const later = one(picture, "Later", plain);
    return later && click(middleOf(later), "the button Later");
  }
  const question = one(picture, "Save another one?", plain);
  if (question === undefined) return undefined;
  const answers = seeText(picture, "Save", { color: theme.accentText, isBold: true });
  const near = answers.find(({ y }) => y > question.y && y < question.y + 120);
  return near && click(middleOf(near), "the button Save of the dialog");
}

function openProgram(picture: Picture): ToolUse {
  if (one(picture, "Loading…", faint) !== undefined) return use("wait", { seconds: 2 });
  const [icon] = seeText(picture, "Orders", { color: theme.taskbarText });
  if (icon === undefined) return use("wait", { seconds: 1 });
  const { x, y } = middleOf(icon);
  return use("click", { x, y: y - 38, clicks: 2, target: "the icon Orders" });
}

function selectCustomer(picture: Picture, customer: string): ToolUse {
  const row = one(picture, customer, plain);
  if (row !== undefined) return click(middleOf(row), `the customer ${customer}`);
  const list = one(picture, "Customers", heading);
  if (list === undefined) return fail("there is no list of customers");
  const { x, y } = middleOf(list);
  return use("scroll", {
    x: x + 60,
    y: y + 200,
    direction: "up",
    amount: 5,
    target: "the list of customers",
  });
}

function copyNumber(picture: Picture, name: string): ToolUse {
  const field = fieldBeside(picture, "Number");
  if (field === undefined) return fail("there is no field Number");
  return field.isFocused
    ? use("copy_to_clipboard", { save_as: name })
    : click(field.label, "the label Number");
}

interface SeenField {
  readonly label: Point;
  readonly middle: Point;
  readonly isFilled: boolean;
  readonly isFocused: boolean;
}

function fieldBeside(picture: Picture, text: string): SeenField | undefined {
  const label = one(picture, text, faint);
  if (label === undefined) return undefined;
  const left = label.x + label.width + besideLabel;
  const { y } = middleOf(label);
  // A cursor is one column; letters and a secret's cover are more.
  const columns = Array.from({ length: 100 }, (_, at) => left + 4 + at).filter((x) =>
    Array.from({ length: 18 }, (_, row) => colorAt(picture, x, label.y + row)).some(
      (color) => color === theme.text || color === hidden,
    ),
  );
  return {
    label: middleOf(label),
    middle: { x: left + intoField, y },
    isFilled: columns.length > 1,
    isFocused: colorAt(picture, left, y) === theme.accent,
  };
}

function one(picture: Picture, text: string, style: Parameters<typeof seeText>[2]): SeenText | undefined {
  return seeText(picture, text, style)[0];
}

function use(name: string, args: JsonObject): ToolUse {
  return { name, args };
}

function click({ x, y }: Point, target: string): ToolUse {
  return use("click", { x, y, target });
}

function fail(reason: string): ToolUse {
  return use("fail", { reason });
}
