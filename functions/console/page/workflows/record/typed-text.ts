import { codeSuffix } from "../../../../../shared/vocabulary/placeholders.ts";
import type { DesktopAction } from "../../screen/desktop-action.ts";

export type TextKind = "text" | "input" | "secret" | "code";

export type TypedText = Extract<DesktopAction, { readonly type: "type" }>;

/** The desktop gets this: a secret is named, and filled in by the service. Undefined while something is missing. */
export function typedText(kind: TextKind, text: string, name: string): TypedText | undefined {
  if (kind === "secret" || kind === "code") {
    const suffix = kind === "code" ? codeSuffix : "";
    return name === "" ? undefined : { type: "type", text: `{$${name}${suffix}}` };
  }
  if (text === "") return undefined;
  if (kind === "text") return { type: "type", text };
  return name === "" ? undefined : { type: "type", text, as_input: name };
}
