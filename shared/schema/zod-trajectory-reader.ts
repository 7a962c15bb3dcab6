import type * as z from "zod";
import { TrajectoryElement, TrajectoryScreens } from "../contract/trajectory/trajectory-element.ts";
import type { Json } from "../domain/json.ts";
import type {
  ElementProblem,
  ReadElement,
  TrajectoryReader,
} from "../domain/trajectory/trajectory-reader.ts";

export const zodTrajectoryReader: TrajectoryReader = {
  readElement(value: Json): ReadElement {
    const read = TrajectoryElement.safeParse(value, { reportInput: true });
    if (!read.success) return { kind: "unreadable", ...problemOf(read.error) };
    const { timeout_ms: timeoutMs, is_from_screen: isFromScreen, screen, ...rest } = read.data;
    const element = {
      ...rest,
      timeoutMs,
      ...(isFromScreen && { isFromScreen }),
      ...(screen && { screen: { recordingId: screen.recording_id, index: screen.index } }),
    };
    return { kind: "element", element };
  },
  /** Reads the fields that the operations accept, without the service's own. */
  readScreens({ dimensions, screens }) {
    return {
      dimensions: dimensions && { ...dimensions, scale: dimensions.scale ?? 1 },
      ...TrajectoryScreens.strip().parse(screens ?? {}),
    };
  },
};

function problemOf({ issues }: z.ZodError): ElementProblem {
  const [issue] = issues;
  if (issue === undefined) throw new Error("an element that cannot be read has no problem");
  const path = issue.path.filter((name) => typeof name !== "symbol");
  return { path, reason: [...(path.length === 0 ? [] : [path.join(".")]), wordsOf(issue)].join(": ") };
}

function wordsOf(issue: z.core.$ZodIssue): string {
  const { message, input } = issue;
  switch (issue.code) {
    case "custom":
      return message.replace(/^Value error, /, "");
    case "invalid_union":
      return `${JSON.stringify(input)?.slice(0, 100) ?? "nothing"} is no type of action that the service knows`;
    case "unrecognized_keys":
      return `${issue.keys.slice(0, 5).join(", ").slice(0, 255)} is not a field of it`;
    default:
      return input === undefined ? "is missing" : message.charAt(0).toLowerCase() + message.slice(1);
  }
}
