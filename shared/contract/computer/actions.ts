import * as z from "zod";
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

/** What is acted on, for people and models; a desktop is not told. */
const target = text(1, 255).optional().describe("What is acted on, in a few words.");

/** One vocabulary for a batch, trajectories and models: the operations' bodies, with `type` and `target`. */
export const ClickAction = ClickBody.safeExtend({ type: z.literal("click"), target }).meta(bothOrNeither);
export const MoveAction = MoveBody.extend({ type: z.literal("move"), target });
export const DragAction = DragBody.extend({ type: z.literal("drag"), target });
export const ScrollAction = ScrollBody.safeExtend({ type: z.literal("scroll"), target }).meta(bothOrNeither);
export const TypeAction = TypeBody.extend({ type: z.literal("type"), target });
export const KeyAction = KeyBody.extend({ type: z.literal("key"), target });
export const OpenAction = OpenProgramBody.extend({ type: z.literal("open"), target });
export const CopyToClipboardAction = CopyToClipboardBody.extend({
  type: z.literal("copy_to_clipboard"),
  target,
});
export const WaitAction = z.strictObject({
  type: z.literal("wait"),
  seconds: z.number().min(0).max(60),
  target,
});

/** What a batch and a trajectory have alike. */
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

/** The operation whose body an action is; `wait` has none. */
export const operationOfAction = {
  click: "clickMouse",
  move: "moveMouse",
  drag: "dragMouse",
  scroll: "scrollMouse",
  type: "typeText",
  key: "pressKeys",
  open: "openProgram",
  copy_to_clipboard: "copyToClipboard",
} as const;
