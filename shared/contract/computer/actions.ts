import * as z from "zod";
import type { DesktopActionType } from "../../vocabulary/drivers.ts";
import { example } from "../fields/example.ts";
import { text } from "../fields/text.ts";
import {
  bothOrNeither,
  ClickBody,
  CopyToClipboardBody,
  DragBody,
  KeyBody,
  MoveBody,
  OpenProgramBody,
  ScrollBody,
  TypeBody,
} from "./computer.ts";

/** The target is not sent to the desktop. */
const target = example(text(1, 255).optional(), "the field Customer").describe(
  "The thing acted on, in a few words.",
);

function actionFields<const Type extends string>(type: Type) {
  return {
    type: z.literal(type).describe(`The constant \`${type}\`, which tells actions apart.`),
    target,
  };
}

export const ClickAction = ClickBody.safeExtend(actionFields("click"))
  .meta(bothOrNeither)
  .describe("An action that clicks, presses or releases a button of the mouse.");
export const MoveAction = MoveBody.extend(actionFields("move")).describe("An action that moves the pointer.");
export const DragAction = DragBody.extend(actionFields("drag")).describe(
  "An action that drags with a button of the mouse.",
);
export const ScrollAction = ScrollBody.safeExtend(actionFields("scroll"))
  .meta(bothOrNeither)
  .describe("An action that turns the wheel of the mouse.");
export const TypeAction = TypeBody.extend(actionFields("type")).describe("An action that types a text.");
export const KeyAction = KeyBody.extend(actionFields("key")).describe("An action that presses keys.");
export const OpenAction = OpenProgramBody.extend(actionFields("open")).describe(
  "An action that opens a program of the machine's own list.",
);
export const CopyToClipboardAction = CopyToClipboardBody.extend(actionFields("copy_to_clipboard")).describe(
  "An action that copies the selection and returns the clipboard's content.",
);
export const WaitAction = z
  .strictObject({
    type: z.literal("wait").describe("The constant `wait`, which tells actions apart."),
    seconds: z.number().min(0).max(60).describe("Time in seconds."),
    target,
  })
  .describe("An action that waits.");

export const sharedActions = [
  ClickAction,
  MoveAction,
  DragAction,
  ScrollAction,
  TypeAction,
  KeyAction,
  OpenAction,
  WaitAction,
] as const;

export const operationOfAction = {
  click: "clickMouse",
  move: "moveMouse",
  drag: "dragMouse",
  scroll: "scrollMouse",
  type: "typeText",
  key: "pressKeys",
  open: "openProgram",
  copy_to_clipboard: "copyToClipboard",
} as const satisfies Record<DesktopActionType, string>;
