import type { Desktop } from "../../../shared/domain/execution/desktop.ts";
import type { Json } from "../../../shared/domain/json.ts";
import { changedRegion } from "../../../shared/domain/picture/changes.ts";
import { cutAnchor } from "../../../shared/domain/picture/cut-anchor.ts";
import type { Picture, Point, Rectangle } from "../../../shared/domain/picture/picture.ts";
import { type Action, isPointing, pointOf } from "../../../shared/domain/trajectory/action.ts";
import { recordElement, recordPiece } from "../../../shared/domain/trajectory/record-element.ts";
import type {
  RecordedPiece,
  TrajectoryElement,
} from "../../../shared/domain/trajectory/trajectory-element.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";

/** A step of a recording: what is done, in terms of inputs, and the values that were typed then. */
export interface ScriptStep {
  readonly action: Action;
  /** Of the recording: instead of the placeholders. */
  readonly typed?: string;
}

const click = (target: string, x: number, y: number, clicks = 1): ScriptStep => ({
  action: { type: "click", x, y, clicks, target },
});
const type = (text: string, typed: string): ScriptStep => ({ action: { type: "type", text }, typed });

/** What the demo does: one order for a customer, whose number it puts out. */
export const demoScript: readonly ScriptStep[] = [
  click("the icon Orders", 68, 66, 2),
  click("the customer Daniel Weiß", 300, 306),
  click("the field Item", 650, 232),
  type("{item}", "Desk lamp"),
  click("the field Quantity", 650, 274),
  type("{quantity}", "3"),
  click("the field PIN", 650, 316),
  type("{$pin}", "2468"),
  click("the button Save", 690, 442),
  click("the label Number", 897, 490),
  { action: { type: "copy_to_clipboard", save_as: "order_number" } },
  {
    action: {
      type: "finish",
      output: { order_number: "{order_number}", item: "{item}", quantity: "{quantity}" },
    },
  },
];

export interface Recording {
  readonly elements: readonly TrajectoryElement[];
  readonly expect: readonly RecordedPiece[];
  /** @default none */
  readonly checks?: readonly { readonly kind: "file"; readonly path: string }[];
  readonly dimensions: { readonly width: number; readonly height: number };
  /** Of each step, the screen before it; the last one at the end. */
  readonly screens: readonly Picture[];
}

/** Does the script once, and cuts out of the screens what a replay needs. */
export async function record(
  desktop: Desktop,
  script: readonly ScriptStep[],
  expected: readonly Point[],
): Promise<Recording> {
  const look = async (): Promise<Picture> => {
    const seen = await desktop.look(1_000);
    if (seen === undefined) throw new Error("the desktop is away");
    return pngCodec.decode(seen.png);
  };
  const elements: TrajectoryElement[] = [];
  const screens: Picture[] = [];
  let changed: Rectangle | undefined;
  let before = await look();
  for (const [index, { action, typed }] of script.entries()) {
    screens.push(before);
    const element = recordElement(pngCodec, { action, before, changed });
    if (element.by === "model")
      throw new Error(`nothing unique was found for step ${index}, ${JSON.stringify(action)}`);
    elements.push(element);
    if (action.type === "finish") break;
    const done = { ...action, ...(typed !== undefined && { text: typed }) } as unknown as {
      readonly [key: string]: Json;
    };
    const acted = await desktop.act(done, { actionId: `recording-${index}`, repeat: false, settleMs: 1_000 });
    if (acted.kind !== "done") throw new Error(`step ${index} was not done: ${JSON.stringify(acted)}`);
    const after = await look();
    const near = isPointing(action) ? pointOf(action) : undefined;
    changed = changedRegion(before, after, { near }) ?? changed;
    before = after;
  }
  const expect = expected.map((point) => {
    const anchor = cutAnchor(before, point);
    if (anchor === null) throw new Error(`nothing unique is around ${point.x}, ${point.y} at the end`);
    return recordPiece(pngCodec, anchor);
  });
  return {
    elements,
    expect,
    dimensions: { width: before.width, height: before.height },
    screens: [...screens, before],
  };
}
