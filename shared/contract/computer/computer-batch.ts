import * as z from "zod";
import { actionStatuses } from "../../vocabulary/drivers.ts";
import { refuse } from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { codePoints } from "../fields/text.ts";
import { CopyToClipboardAction, sharedActions } from "./actions.ts";
import { Clipboard, Dimensions, programOpenMsMax } from "./computer.ts";
import { FileUrl } from "./computer-system.ts";

/** Limits the sum of waits, drags, opened programs and settling: a batch must end within a call's 25 s. */
const batchPausesMsMax = 15_000;
/** The reference driver types this many characters of any kind in at most some 7 s. */
const batchTextCharactersMax = 5_000;

export const BatchAction = z
  .discriminatedUnion("type", [...sharedActions, CopyToClipboardAction])
  .describe("One action on a desktop.");
export type BatchAction = z.infer<typeof BatchAction>;

export const BatchBody = z
  .strictObject({
    actions: z.array(BatchAction).min(1).max(20).describe("The actions, performed in this order."),
    screenshot: z.boolean().default(false).describe("Whether a screenshot is taken after the last action."),
    settle_ms: z
      .int()
      .min(0)
      .max(5_000)
      .default(0)
      .describe("Longest wait until nothing but a blinking cursor changes, in milliseconds."),
    cursor: z.boolean().default(false).describe("Whether the pointer is drawn into the picture."),
  })
  .superRefine(requireShort)
  .meta({
    says: [
      `Waits, drags, opened programs (${programOpenMsMax / 1_000} s each) and \`settle_ms\` take at most ${batchPausesMsMax / 1_000} s in all.`,
      `All texts together have at most ${batchTextCharactersMax.toLocaleString("en-US")} characters.`,
    ],
  })
  .describe("Actions on a desktop, performed in one call.");

function requireShort(
  { actions, settle_ms: settleMs }: { readonly actions: readonly BatchAction[]; readonly settle_ms: number },
  context: z.core.$RefinementCtx,
): void {
  const seconds = batchPausesMsMax / 1_000;
  const tooLong = `Value error, waits, drags, opening programs and settling take at most ${seconds} s in all`;
  let pausesMs = 0;
  let characters = 0;
  for (const [index, action] of actions.entries()) {
    const pause = pauseOf(action);
    pausesMs += pause.ms;
    if (pausesMs > batchPausesMsMax) {
      refuse(context, { type: "value_error", message: tooLong, path: ["actions", index, pause.field] });
      return;
    }
    characters += action.type === "type" ? codePoints(action.text) : 0;
    if (characters > batchTextCharactersMax) {
      const message = `Value error, all texts together have at most ${batchTextCharactersMax} characters`;
      refuse(context, { type: "value_error", message, path: ["actions", index, "text"] });
      return;
    }
  }
  if (pausesMs + settleMs > batchPausesMsMax) {
    refuse(context, { type: "value_error", message: tooLong, path: ["settle_ms"] });
  }
}

function pauseOf(action: BatchAction): { readonly ms: number; readonly field: string } {
  if (action.type === "wait") return { ms: action.seconds * 1_000, field: "seconds" };
  if (action.type === "open") return { ms: programOpenMsMax, field: "program" };
  return { ms: action.type === "drag" ? (action.duration ?? 0) * 1_000 : 0, field: "duration" };
}

export const ActionResult = z
  .object({
    type: z.enum(BatchAction.options.map((option) => option.shape.type.value)).describe("The action's type."),
    status: example(z.enum(actionStatuses), "failed").describe(
      "The action's outcome; those after the first that failed are `skipped`.",
    ),
    error: example(z.string().optional(), "the display is locked").describe(
      "The reason in the driver's words; only with `failed`.",
    ),
    answer: Clipboard.optional().describe(
      "The clipboard's content, `{<text>: clipboard}`; only for `copy_to_clipboard`.",
    ),
  })
  .describe("The result of one action of a batch.");

const screen = {
  ...Dimensions.shape,
  settled: z.boolean().describe("Whether the screen was still; false with `settle_ms` 0."),
};

export const InlineScreenshot = z
  .object({ ...screen, png: z.base64().describe("The picture: a PNG in base64.") })
  .describe("A picture of the screen inside the response.");
export const LinkedScreenshot = z
  .object({
    ...screen,
    url: FileUrl.shape.url,
    expires_in: FileUrl.shape.expires_in,
  })
  .describe("A picture of the screen that is too large for the response.");

export const BatchResponse = z
  .object({
    results: z.array(ActionResult).describe("The results of the actions, in their order."),
    screenshot: z
      .union([InlineScreenshot, LinkedScreenshot])
      .nullable()
      .optional()
      .describe(
        "The picture if one was requested: a link if it is too large for the response, null if none could be taken.",
      ),
  })
  .describe("The results of a batch's actions.");
export type BatchResponse = z.infer<typeof BatchResponse>;
