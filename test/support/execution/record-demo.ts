import { setTimeout as sleep } from "node:timers/promises";
import { type Action, isPointing, pointOf } from "../../../shared/domain/action/action.ts";
import type { Desktop } from "../../../shared/domain/desktop/desktop.ts";
import type { JsonObject } from "../../../shared/domain/json.ts";
import { changedRegion } from "../../../shared/domain/picture/changes.ts";
import { cutAnchor } from "../../../shared/domain/picture/cut-anchor.ts";
import { thumbnail } from "../../../shared/domain/picture/downscale.ts";
import type { Picture, Point, Rectangle } from "../../../shared/domain/picture/picture.ts";
import { inBase64 } from "../../../shared/domain/picture/picture-codec.ts";
import { recordElement, recordPiece } from "../../../shared/domain/recording/record-element.ts";
import type {
  RecordedPiece,
  TrajectoryCheck,
  TrajectoryElement,
} from "../../../shared/domain/trajectory/trajectory-element.ts";
import { pngCodec } from "../../../shared/pictures/png-codec.ts";

export interface ScriptStep {
  readonly action: Action;
  readonly typed?: string | undefined;
}

const click = (target: string, x: number, y: number, clicks = 1): ScriptStep => ({
  action: { type: "click", x, y, clicks, target },
});
const type = (text: string, typed: string): ScriptStep => ({ action: { type: "type", text }, typed });

const makesOrder: readonly ScriptStep[] = [
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
];

const putsOut: ScriptStep = {
  action: {
    type: "finish",
    output: { order_number: "{order_number}", item: "{item}", quantity: "{quantity}" },
  },
};

export const orderScript: readonly ScriptStep[] = [...makesOrder, putsOut];

export const closeOrders = click("the button that closes Orders", 1057, 87);

export const demoScript: readonly ScriptStep[] = [...makesOrder, closeOrders, putsOut];

export const clickTaskBar = click("the task bar", 1190, 782);

export async function recordReset(desktop: Desktop, { action }: ScriptStep): Promise<TrajectoryElement> {
  const before = await lookAt(desktop);
  const { anchor, ...element } = recordElement(pngCodec, { action, before, changed: undefined });
  if (anchor === undefined) throw new Error(`nothing unique was found for ${JSON.stringify(action)}`);
  const { thumbnail: _, ...piece } = anchor;
  return { ...element, anchor: piece };
}

export interface ExpectedPoint extends Point {
  /** Whether the rest of the screen is compared, too, roughly. @default false */
  readonly isWhole?: boolean;
}

export interface Recording {
  readonly elements: readonly TrajectoryElement[];
  /** @default none */
  readonly reset?: readonly TrajectoryElement[];
  readonly expect: readonly RecordedPiece[];
  /** @default none */
  readonly checks?: readonly TrajectoryCheck[];
  readonly dimensions: { readonly width: number; readonly height: number };
}

/**
 * Does the script once, and cuts out of the screens the parts that a replay needs.
 *
 * @param untilOver resolves when the last screen is there, where it takes its time. @default none
 */
export async function record(
  desktop: Desktop,
  script: readonly ScriptStep[],
  expected: readonly ExpectedPoint[],
  untilOver?: () => Promise<void>,
): Promise<Recording> {
  const elements: TrajectoryElement[] = [];
  let changed: Rectangle | undefined;
  let before = await lookAt(desktop);
  for (const [index, { action, typed }] of script.entries()) {
    const isLast = action.type === "finish";
    const after = isLast ? before : await perform(desktop, { action, typed }, index);
    const recorded = { action, before, changed, after: isLast ? undefined : after };
    const element = recordElement(pngCodec, recorded);
    if (element.by === "model")
      throw new Error(`nothing unique was found for step ${index}, ${JSON.stringify(action)}`);
    elements.push(element);
    if (isLast) break;
    const near = isPointing(action) ? pointOf(action) : undefined;
    changed = changedRegion(before, after, { near }) ?? changed;
    before = after;
  }
  const cut = () => expected.map((point) => cutAnchor(before, point));
  if (untilOver !== undefined) {
    await untilOver();
    before = await lookAt(desktop);
  }
  // A window may take its time to be drawn.
  for (let left = 20; left > 0 && cut().includes(null); left -= 1) {
    await sleep(250);
    before = await lookAt(desktop);
  }
  const expect = cut().map((anchor, at) => {
    if (anchor === null)
      throw new Error(`nothing unique is around ${JSON.stringify(expected[at])} at the end`);
    const small = expected[at]?.isWhole ? { thumbnail: inBase64(pngCodec, thumbnail(before)) } : {};
    return { ...recordPiece(pngCodec, anchor), ...small };
  });
  return {
    elements,
    expect,
    dimensions: { width: before.width, height: before.height },
  };
}

async function lookAt(desktop: Desktop): Promise<Picture> {
  const seen = await desktop.look(1_000);
  if (seen === undefined) throw new Error("the desktop is away");
  return pngCodec.decode(seen.png);
}

/** @returns the screen after it. */
async function perform(desktop: Desktop, { action, typed }: ScriptStep, index: number): Promise<Picture> {
  const done = { ...action, ...(typed !== undefined && { text: typed }) } as unknown as JsonObject;
  const acted = await desktop.act(done, { actionId: `recording-${index}`, repeat: false, settleMs: 1_000 });
  if (acted.kind !== "done") throw new Error(`step ${index} was not done: ${JSON.stringify(acted)}`);
  return await lookAt(desktop);
}
