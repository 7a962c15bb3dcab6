import * as z from "zod";
import type { ActionType } from "../../domain/action/action.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { ModelDecision } from "../../domain/model/language-models.ts";
import { decideAction } from "./action-tools.ts";

/** These actions are part of Anthropic's computer tool; a workflow that forbids one of them gets function tools. */
export const computerActions = [
  "click",
  "move",
  "drag",
  "scroll",
  "type",
  "key",
  "wait",
  "screenshot",
] as const satisfies readonly ActionType[];

const point = z.tuple([z.number(), z.number()]);
const Input = z.object({
  action: z.string(),
  coordinate: point.nullish(),
  start_coordinate: point.nullish(),
  text: z.string().nullish(),
  repeat: z.number().nullish(),
  duration: z.number().nullish(),
  scroll_direction: z.string().nullish(),
  scroll_amount: z.number().nullish(),
  region: z.tuple([z.number(), z.number(), z.number(), z.number()]).nullish(),
});
type Input = z.infer<typeof Input>;

const clicks: Readonly<Record<string, JsonObject>> = {
  left_click: {},
  right_click: { button: "right" },
  middle_click: { button: "middle" },
  double_click: { clicks: 2 },
  triple_click: { clicks: 3 },
  left_mouse_down: { down: true },
  left_mouse_up: { down: false },
};

const repeatMax = 64;

export function decideComputer(args: JsonObject): ModelDecision {
  const parsed = Input.safeParse(args);
  if (!parsed.success) return { kind: "invalid", error: z.prettifyError(parsed.error).slice(0, 500) };
  const input = parsed.data;
  const { action, text, region } = input;
  const at = xy(input.coordinate);
  if (action in clicks) return holding(text, one("click", { ...clicks[action], ...at }));
  switch (action) {
    case "mouse_move":
      return one("move", at);
    case "left_click_drag":
      return holding(text, drag(input));
    case "scroll":
      return holding(
        text,
        one("scroll", {
          direction: input.scroll_direction ?? null,
          amount: input.scroll_amount ?? null,
          ...at,
        }),
      );
    case "type":
      return one("type", { text: text ?? null });
    case "key":
      return key(input);
    case "hold_key":
      return holding(text ?? "", one("wait", { seconds: input.duration ?? null }));
    case "wait":
      return one("wait", { seconds: input.duration ?? null });
    case "screenshot":
      return one("screenshot", {});
    case "zoom":
      return zoom(region);
    default:
      return {
        kind: "invalid",
        error: `${action.slice(0, 64)} cannot be done here; look at the screenshot instead`,
      };
  }
}

function one(type: ActionType, fields: JsonObject): ModelDecision {
  return decideAction(type, fields, computerActions);
}

function xy(at: readonly [number, number] | null | undefined): JsonObject {
  return at ? { x: at[0], y: at[1] } : {};
}

function drag({ start_coordinate: start, coordinate: end }: Input): ModelDecision {
  if (!start || !end)
    return { kind: "invalid", error: "left_click_drag: start_coordinate and coordinate are needed" };
  return one("drag", { start_x: start[0], start_y: start[1], to_x: end[0], to_y: end[1] });
}

function key({ text, repeat }: Input): ModelDecision {
  const times = repeat ?? 1;
  if (!Number.isInteger(times) || times < 1 || times > repeatMax)
    return { kind: "invalid", error: `key: repeat is 1 to ${repeatMax}` };
  return one("key", { text: text ? Array.from({ length: times }, () => text).join(" ") : null });
}

function holding(keys: string | null | undefined, decision: ModelDecision): ModelDecision {
  if (keys === null || keys === undefined || decision.kind !== "actions") return decision;
  const press = one("key", { text: keys, down: true });
  const release = one("key", { text: keys, down: false });
  if (press.kind !== "actions" || release.kind !== "actions") return press;
  return { kind: "actions", actions: [...press.actions, ...decision.actions, ...release.actions] };
}

function zoom(region: Input["region"]): ModelDecision {
  const [left, top, right, bottom] = region ?? [0, 0, 0, 0];
  if (right <= left || bottom <= top)
    return { kind: "invalid", error: "zoom: region is [left, top, right, bottom] in pixels of the picture" };
  return { kind: "zoom", region: { x: left, y: top, width: right - left, height: bottom - top } };
}
