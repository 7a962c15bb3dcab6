import * as z from "zod";
import { elementDeciders, elementTimeoutMsMax, writtenBytesMax } from "../../vocabulary/trajectories.ts";
import { CopyToClipboardAction, sharedActions, WaitAction } from "../computer/actions.ts";
import { ExecBody, ReadFileQuery } from "../computer/computer-system.ts";
import { refuseValue, Uuid } from "../fields/common.ts";
import { example } from "../fields/example.ts";
import { jsonArray, jsonObject, jsonValue } from "../fields/json-value.ts";
import { text } from "../fields/text.ts";

/** Displays address their pixels with signed 16 bits. */
const coordinateMax = 32_767;

const pieceSizeMax = { width: 320, height: 160 } as const;
const pieceBytesMax = 200_000;

const thumbnailSize = { width: 64, height: 40 } as const;
const thumbnailBytesMax = 16_384;

/** Twenty elements with a piece of the screen each fit. */
const resetBytesMax = 524_288;
const jsonBytesMax = 65_536;

function png(bytesMax: number) {
  return z
    .base64()
    .min(1)
    .max(4 * Math.ceil(bytesMax / 3));
}

const pieceFields = {
  x: z
    .int()
    .min(0)
    .max(coordinateMax)
    .describe("Distance of the piece's left edge from that of the recorded picture, in pixels."),
  y: z
    .int()
    .min(0)
    .max(coordinateMax)
    .describe("Distance of the piece's top edge from that of the recorded picture, in pixels."),
  width: z.int().min(1).max(pieceSizeMax.width).describe("The piece's width in pixels."),
  height: z.int().min(1).max(pieceSizeMax.height).describe("The piece's height in pixels."),
  png: png(pieceBytesMax).describe("The piece itself: a PNG in base64."),
  thumbnail: png(thumbnailBytesMax)
    .optional()
    .describe(
      `The whole screen, ${thumbnailSize.width} x ${thumbnailSize.height}, which is compared roughly: a PNG in base64.`,
    ),
};

export const ScreenPiece = z.strictObject(pieceFields).describe("A piece of the recorded screen.");

const ChangedPart = z.strictObject({
  x: pieceFields.x,
  y: pieceFields.y,
  width: z.int().min(1).max(coordinateMax),
  height: z.int().min(1).max(coordinateMax),
});

const Guard = z.strictObject({
  ...pieceFields,
  bounds: z
    .base64()
    .length(4 * Math.ceil((thumbnailSize.width * thumbnailSize.height) / 3))
    .optional()
    .describe("For each pixel of the thumbnail the largest difference that it may have: bytes in base64."),
});

/** Saved values are named as inputs are: `{name}`. */
const save_as = text(0, 64)
  .regex(/^[\p{L}_][\p{L}\p{N}_-]*$/u)
  .describe("The result's name, later written `{name}`.");

/** Texts may have `{input}`, `{saved}` and, in `type` only, `{$secret}`. */
const createAction = () => {
  const { target } = WaitAction.shape;
  const { path } = ReadFileQuery.shape;
  return z.discriminatedUnion("type", [
    ...sharedActions,
    z.strictObject({ type: z.literal("screenshot"), target }),
    z.strictObject({ type: CopyToClipboardAction.shape.type, save_as, target }),
    z.strictObject({ type: z.literal("read_file"), path, save_as, target }),
    z.strictObject({
      type: z.literal("write_file"),
      path,
      content: z.string().superRefine((content, context) => {
        const bytes = new TextEncoder().encode(content).length;
        if (bytes > writtenBytesMax) refuseValue(context, `at most ${writtenBytesMax} bytes, not ${bytes}`);
      }),
      target,
    }),
    z.strictObject({ type: z.literal("shell"), command: ExecBody.shape.command, save_as, target }),
    z.strictObject({
      type: z.literal("read"),
      question: text(1, 2_000),
      schema: jsonObject(jsonBytesMax).optional(),
      save_as,
      target,
    }),
    z.strictObject({ type: z.literal("finish"), output: jsonValue(jsonBytesMax).optional(), target }),
    z.strictObject({ type: z.literal("fail"), reason: text(1, 2_000), target }),
  ]);
};

/** The schema is made when a function first reads an element. */
export const TrajectoryElement = z.lazy(() =>
  z.strictObject({
    action: createAction(),
    by: z
      .enum(elementDeciders)
      .default("replay")
      .describe("`model`: decided by one, from the action's `target`."),
    anchor: ScreenPiece.optional().describe(
      "Of what points: the picture around its point before it was done, or one beside it, by which it is found where nothing around the point is unique.",
    ),
    guard: Guard.optional().describe(
      "Of what types: the picture of where it is typed, as it was before. Of what points, where its anchor lies beside the point: the picture around the point, compared in its place.",
    ),
    changed: ChangedPart.optional().describe(
      "The part of the recorded screen that it changed; after what types values of the run it is not compared.",
    ),
    optional: z
      .boolean()
      .optional()
      .describe(
        "Whether it is left out where the screen of the next element that is not optional is seen already, or its own is not seen in time: it closes what may be in the way. False if absent.",
      ),
    is_from_screen: z
      .boolean()
      .optional()
      .describe(
        "Of what types a constant: whether the text stood on a recorded screen before. A model decides what is typed then, where one may act; without one, such an element is not replayed with other inputs than the recording's.",
      ),
    screen: z
      .strictObject({ recording_id: Uuid, index: z.int().min(1).max(999_999) })
      .optional()
      .describe(
        "The step of a recording whose picture shows the screen on which it is done. A PATCH cuts the anchor of an element that clicks, moves, drags or scrolls anew from that picture where it has no `anchor`.",
      ),
    timeout_ms: z
      .int()
      .min(0)
      .max(elementTimeoutMsMax)
      .default(10_000)
      .describe("How long its screen is waited for before it counts as another one."),
  }),
);
export type TrajectoryElement = z.infer<typeof TrajectoryElement>;

export const SentenceCheck = z
  .strictObject({
    kind: z.literal("sentence").describe("The constant `sentence`, which tells checks apart."),
    text: example(text(1, 1_000), "The invoice has a number.").describe(
      "The sentence, which a model judges on the last picture.",
    ),
  })
  .describe("A check that a sentence is true of the last picture.");
export const FileCheck = z
  .strictObject({
    kind: z.literal("file").describe("The constant `file`, which tells checks apart."),
    path: example(ReadFileQuery.shape.path, "invoice.pdf").describe(
      "The file that must be there, relative to the driver's root.",
    ),
  })
  .describe("A check that a file is on the desktop.");

export const TrajectoryCheck = z
  .discriminatedUnion("kind", [SentenceCheck, FileCheck])
  .describe("A check of a replay's result, besides the last screen.");

export const TrajectoryScreens = z.strictObject({
  expect: z.array(ScreenPiece).max(8).default([]),
  checks: z.array(TrajectoryCheck).max(8).default([]),
  reset: jsonArray(resetBytesMax).max(20).default([]),
});

export const DisplayDimensions = z
  .strictObject({
    width: example(z.int().min(1).max(coordinateMax), 1_920).describe(
      "The display's width during the recording, in its own units.",
    ),
    height: example(z.int().min(1).max(coordinateMax), 1_080).describe(
      "The display's height during the recording, in its own units.",
    ),
    scale: z
      .number()
      .min(0.25)
      .max(8)
      .optional()
      .describe("Number of pixels of a picture in each unit. Default 1."),
  })
  .describe("Size of the display during a recording, in its own units.");
