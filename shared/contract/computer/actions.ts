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

export const ClickAction = ClickBody.safeExtend({
  type: z.literal("click").describe("The constant `click`, which tells actions apart."),
  target,
})
  .meta(bothOrNeither)
  .describe("An action that clicks, presses or releases a button of the mouse.");
export const MoveAction = MoveBody.extend({
  type: z.literal("move").describe("The constant `move`, which tells actions apart."),
  target,
}).describe("An action that moves the pointer.");
export const DragAction = DragBody.extend({
  type: z.literal("drag").describe("The constant `drag`, which tells actions apart."),
  target,
}).describe("An action that drags with a button of the mouse.");
export const ScrollAction = ScrollBody.safeExtend({
  type: z.literal("scroll").describe("The constant `scroll`, which tells actions apart."),
  target,
})
  .meta(bothOrNeither)
  .describe("An action that turns the wheel of the mouse.");
export const TypeAction = TypeBody.extend({
  type: z.literal("type").describe("The constant `type`, which tells actions apart."),
  target,
}).describe("An action that types a text.");
export const KeyAction = KeyBody.extend({
  type: z.literal("key").describe("The constant `key`, which tells actions apart."),
  target,
}).describe("An action that presses keys.");
export const OpenAction = OpenProgramBody.extend({
  type: z.literal("open").describe("The constant `open`, which tells actions apart."),
  target,
}).describe("An action that opens a program of the machine's own list.");
export const CopyToClipboardAction = CopyToClipboardBody.extend({
  type: z
    .literal("copy_to_clipboard")
    .describe("The constant `copy_to_clipboard`, which tells actions apart."),
  target,
}).describe("An action that copies the selection and returns the clipboard's content.");
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
