import { writtenBytesMax } from "../../../vocabulary/trajectories.ts";
import { type Action, isFilledIn, isPointing, movedAction, shownAction } from "../../action/action.ts";
import type { JsonObject } from "../../json.ts";
import type { Shift } from "../../picture/picture.ts";
import { exportsName, type Filled, fillIn, type TextPart } from "../../placeholder/fill-in.ts";
import { isBelow, isTransferPath } from "../../placeholder/transfer-path.ts";
import type { FilledText } from "../../screen/typed-text.ts";
import { codeValidMsMin } from "../../secrets/one-time-codes.ts";
import type { RunEnding } from "../execution.ts";
import type { Invocation } from "./invocation.ts";
import { failure } from "./step-result.ts";

export interface FilledAction extends FilledText {
  readonly kind: "filled";
  /** Secrets are shown as `{$alias}`; this form is kept. */
  readonly shown: JsonObject;
  /** Secrets are filled in; this form is never kept. */
  readonly sent: JsonObject;
}

/** The operation's largest text, in UTF-16 units: some 7 s with the slowest keyboard. */
const pieceCharactersMax = 5_000;

const missing = (name: string): { readonly kind: "end"; readonly end: RunEnding } => ({
  kind: "end",
  end: failure("input_missing", `a step names {${name}}, which nobody gave`),
});

/** Secrets are filled in where something is typed, nowhere else; points move with the window. */
export async function fillAction(
  invocation: Invocation,
  action: Action,
  { piece, movedBy }: { readonly piece: number; readonly movedBy: Shift },
): Promise<FilledAction | { readonly kind: "end"; readonly end: RunEnding }> {
  if (isPointing(action)) {
    const moved = shownAction(movedAction(action, movedBy));
    return { kind: "filled", shown: moved, sent: moved, isOwn: false, hasSecret: false, pieces: 1 };
  }
  const sources = {
    inputs: invocation.plan.inputValues,
    saved: invocation.saved,
    aliases: aliasesFor(invocation, action),
  };
  if (action.type === "type") return await fillText(invocation, action, fillIn(action.text, sources), piece);
  const filled: Record<string, string> = {};
  let isOwn = false;
  for (const [name, text] of Object.entries(action)) {
    if (!isFilledIn(action, name)) continue;
    const field = fillIn(String(text), sources);
    if (field.kind === "missing") return missing(field.name);
    filled[name] = field.shown;
    isOwn ||= field.isOwn;
  }
  if (filled.path !== undefined && !isAllowed(invocation, filled.path)) {
    const error = `the step's path ${filled.path} is not below ~/Transfers; allow_shell of the workflow allows it`;
    return { kind: "end", end: failure("step_failed", error) };
  }
  if (Buffer.byteLength(filled.content ?? "") > writtenBytesMax) {
    const error = `what the step would write has more than ${writtenBytesMax} bytes`;
    return { kind: "end", end: failure("step_failed", error) };
  }
  const shown = { ...shownAction(action), ...filled };
  return { kind: "filled", shown, sent: shown, isOwn, hasSecret: false, pieces: 1 };
}

function isAllowed({ plan, saved }: Invocation, path: string): boolean {
  if (plan.workflow.allowShell || isTransferPath(path)) return true;
  const exports = plan.files.exports === null ? undefined : saved.get(exportsName);
  return typeof exports === "string" && isBelow(path, exports);
}

function aliasesFor({ plan }: Invocation, action: Action): ReadonlySet<string> {
  return new Set(action.type === "type" ? plan.aliases : []);
}

async function fillText(
  invocation: Invocation,
  action: Action,
  filled: Filled,
  piece: number,
): Promise<FilledAction | { readonly kind: "end"; readonly end: RunEnding }> {
  if (filled.kind === "missing") return missing(filled.name);
  const hasSecret = filled.parts.some((part) => typeof part !== "string");
  const text = hasSecret
    ? await secretText(invocation, filled.parts)
    : { kind: "text" as const, text: filled.shown };
  if (text.kind === "end") return text;
  const [shownPieces, sentPieces] = [piecesOf(filled.shown), piecesOf(text.text)];
  const shown = { ...shownAction(action), text: hasSecret ? filled.shown : (shownPieces[piece] ?? "") };
  return {
    kind: "filled",
    shown,
    sent: { ...shown, text: sentPieces[piece] ?? "" },
    isOwn: filled.isOwn,
    hasSecret,
    pieces: Math.max(1, sentPieces.length),
  };
}

async function secretText(
  invocation: Invocation,
  parts: readonly TextPart[],
): Promise<
  { readonly kind: "text"; readonly text: string } | { readonly kind: "end"; readonly end: RunEnding }
> {
  const { clock, codes } = invocation.deps;
  const secrets = await invocation.secrets();
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const value = Object.hasOwn(secrets, part.alias) ? secrets[part.alias] : undefined;
    if (value === undefined) {
      const error = `the value of {$${part.alias}} is gone; retry the run with sensitive_input_values`;
      return { kind: "end", end: failure("secrets_gone", error) };
    }
    if (!part.isCode) {
      text += value;
      continue;
    }
    let code = codes.codeAt(value, clock.now());
    if (code !== undefined && code.validMs < codeValidMsMin) {
      await clock.sleep(code.validMs);
      code = codes.codeAt(value, clock.now());
    }
    if (code === undefined) {
      const error = `{$${part.alias}} is no seed of one-time codes: base32 or an otpauth:// address`;
      return { kind: "end", end: failure("step_failed", error) };
    }
    text += code.code;
  }
  return { kind: "text", text };
}

/** Characters stay whole. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const character of text) {
    if (piece.length + character.length > pieceCharactersMax) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, ...(piece === "" ? [] : [piece])];
}
