import * as z from "zod";
import { jsonAnswer } from "../answer.ts";
import type { Answer, DesktopRequest } from "../desktop.ts";
import { parseKeys } from "../screens/key-names.ts";
import type { Screen } from "../screens/screen.ts";
import { parseInput, readJson } from "./read-json.ts";
import type { Route } from "./route.ts";
import { createTurn } from "./turn.ts";

/** 5,000 characters of text, each up to 12 bytes as JSON, and what stands around them. */
const BODY_BYTES_MAX = 65_536;

const Coordinate = z.int().min(0).max(65_535);
const Button = z.enum(["left", "right", "middle"]).default("left");
const Scale = z.coerce.number().int().min(1).max(4096).optional();
const at = { x: Coordinate.optional(), y: Coordinate.optional() };

const ScreenshotQuery = z.object({ width: Scale, height: Scale });
const MoveBody = z.object({ x: Coordinate, y: Coordinate });
const ClickBody = z.object({
  ...at,
  button: Button,
  clicks: z.int().min(1).max(3).default(1),
  down: z.boolean().optional(),
});
const DragBody = z.object({
  start_x: Coordinate,
  start_y: Coordinate,
  to_x: Coordinate,
  to_y: Coordinate,
  /** Seconds. */
  duration: z.number().min(0).max(5).default(0),
  button: Button,
});
const ScrollBody = z.object({
  ...at,
  direction: z.enum(["up", "down", "left", "right"]),
  amount: z.int().min(0).max(1000),
});
const TypeBody = z.object({ text: z.string().min(1).max(5000) });
const KeyBody = z.object({ text: z.string().min(1).max(5000) });
const CopyBody = z.object({ text: z.string().min(1).max(255) });

function pointOf({ x, y }: { x?: number | undefined; y?: number | undefined }) {
  if (x === undefined && y === undefined) return undefined;
  return parseInput(MoveBody, { x, y }, "body");
}

/** The display, mouse, keyboard and clipboard of the API, on any screen. */
export function createScreenRoutes(screen: Screen): readonly Route[] {
  const inTurn = createTurn();

  function read(path: string, handle: (request: DesktopRequest) => Promise<Answer>): Route {
    return { method: "GET", path: `/computer/${path}`, handle };
  }

  function input<Body>(
    path: string,
    schema: z.ZodType<Body>,
    act: (body: Body, signal: AbortSignal) => Promise<unknown>,
  ): Route {
    return {
      method: "POST",
      path: `/computer/${path}`,
      async handle(request) {
        const body = await readJson(request, schema, BODY_BYTES_MAX);
        const result = await inTurn(async () => {
          request.signal.throwIfAborted();
          return await act(body, request.signal);
        });
        return jsonAnswer(200, result ?? {});
      },
    };
  }

  return [
    read("display/dimensions", async ({ signal }) => jsonAnswer(200, await screen.size(signal))),
    read("display/screenshot", async ({ query, signal }) => {
      const scale = parseInput(ScreenshotQuery, Object.fromEntries(new URLSearchParams(query)), "query");
      const body = await screen.screenshot(
        {
          ...(scale.width === undefined ? {} : { width: scale.width }),
          ...(scale.height === undefined ? {} : { height: scale.height }),
        },
        signal,
      );
      const headers = { "content-type": "image/png", "content-length": String(body.byteLength) };
      return { status: 200, headers, body };
    }),
    read("input/mouse/position", async ({ signal }) => jsonAnswer(200, await screen.pointer(signal))),
    input("input/mouse/move", MoveBody, (to, signal) => screen.movePointer(to, signal)),
    input("input/mouse/click", ClickBody, (body, signal) =>
      body.down === undefined
        ? screen.click(body.button, body.clicks, pointOf(body), signal)
        : screen.holdButton(body.button, body.down, pointOf(body), signal),
    ),
    input("input/mouse/drag", DragBody, (body, signal) => {
      const from = { x: body.start_x, y: body.start_y };
      const to = { x: body.to_x, y: body.to_y };
      return screen.drag(body.button, from, to, body.duration * 1_000, signal);
    }),
    input("input/mouse/scroll", ScrollBody, async (body, signal) => {
      const point = pointOf(body);
      if (body.amount > 0) await screen.scroll(body.direction, body.amount, point, signal);
    }),
    input("input/keyboard/type", TypeBody, ({ text }, signal) => screen.typeText(text, signal)),
    input("input/keyboard/key", KeyBody, ({ text }, signal) => screen.pressKeys(parseKeys(text), signal)),
    input("copy_to_clipboard", CopyBody, async ({ text }, signal) => ({
      [text]: await screen.copySelection(signal),
    })),
  ];
}
