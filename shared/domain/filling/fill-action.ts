import { exportsName } from "../../vocabulary/placeholders.ts";
import { writtenBytesMax } from "../../vocabulary/trajectories.ts";
import { type Action, isFilledIn, isPointing, movedAction, shownAction } from "../action/action.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Shift } from "../picture/picture.ts";
import { fillIn, nobodyGave, type TextPart } from "../placeholder/fill-in.ts";
import { isBelow, isTransferPath } from "../placeholder/transfer-path.ts";
import type { Plan } from "../plan/plan.ts";
import { type Failure, failure } from "../run/run-ending.ts";
import type { FilledText } from "../screen/typed-text.ts";
import type { SecretValues } from "../secret-store.ts";
import { type CurrentCodeDeps, currentCode } from "../secrets/current-code.ts";

/** The values for an action's placeholders. */
export interface Fillings {
  readonly deps: CurrentCodeDeps;
  readonly plan: Plan;
  readonly saved: ReadonlyMap<string, Json>;
  secrets(): Promise<SecretValues>;
}

export interface FilledAction extends FilledText {
  readonly kind: "filled";
  /** This form is kept, and shows secrets as `{$alias}`. */
  readonly shown: JsonObject;
  /** This form is never kept, because secrets are filled in. */
  readonly sent: JsonObject;
}

/** The operation's largest text, in UTF-16 units; the slowest keyboard types it in some 7 s. */
const pieceCharactersMax = 5_000;

export interface UnfilledAction {
  readonly kind: "end";
  readonly end: Failure;
}

function unfilled(code: Failure["errorCode"], error: string): UnfilledAction {
  return { kind: "end", end: failure(code, error) };
}

/** Secrets are filled in only where something is typed; points move with the window. */
export async function fillAction(
  fillings: Fillings,
  action: Action,
  { piece, movedBy }: { readonly piece: number; readonly movedBy: Shift },
): Promise<FilledAction | UnfilledAction> {
  if (isPointing(action)) {
    const moved = shownAction(movedAction(action, movedBy));
    return { kind: "filled", shown: moved, sent: moved, isOwn: false, hasSecret: false, piece, pieces: 1 };
  }
  const { plan, saved } = fillings;
  const aliases = new Set(action.type === "type" ? plan.aliases : []);
  const filled: Record<string, string> = {};
  let isOwn = false;
  let parts: readonly TextPart[] = [];
  for (const [name, text] of Object.entries(action)) {
    if (!isFilledIn(action, name)) continue;
    const field = fillIn(String(text), { inputs: plan.inputValues, saved, aliases });
    if (field.kind === "missing") {
      return unfilled("input_missing", nobodyGave("a step", field.name));
    }
    filled[name] = field.shown;
    isOwn ||= field.isOwn;
    ({ parts } = field);
  }
  const shown = { ...shownAction(action), ...filled };
  if (action.type === "type") return await fillText(fillings, { shown, isOwn, parts }, piece);
  if (filled.path !== undefined && !isAllowed(fillings, filled.path)) {
    const error = `the step's path ${filled.path} is not below ~/Transfers; allow_shell of the workflow allows it`;
    return unfilled("step_failed", error);
  }
  if (Buffer.byteLength(filled.content ?? "") > writtenBytesMax) {
    return unfilled("step_failed", `what the step would write has more than ${writtenBytesMax} bytes`);
  }
  return { kind: "filled", shown, sent: shown, isOwn, hasSecret: false, piece, pieces: 1 };
}

function isAllowed({ plan, saved }: Fillings, path: string): boolean {
  if (plan.workflow.allowShell || isTransferPath(path)) return true;
  const exports = plan.files.exports === null ? undefined : saved.get(exportsName);
  return typeof exports === "string" && isBelow(path, exports);
}

async function fillText(
  fillings: Fillings,
  typed: Pick<FilledAction, "shown" | "isOwn"> & { readonly parts: readonly TextPart[] },
  piece: number,
): Promise<FilledAction | UnfilledAction> {
  const whole = String(typed.shown.text);
  const hasSecret = typed.parts.some((part) => typeof part !== "string");
  const text = hasSecret ? await secretText(fillings, typed.parts) : whole;
  if (typeof text !== "string") return text;
  const pieces = piecesOf(text);
  const shown = { ...typed.shown, text: hasSecret ? whole : (pieces[piece] ?? "") };
  const sent = { ...shown, text: pieces[piece] ?? "" };
  const { isOwn } = typed;
  return { kind: "filled", shown, sent, isOwn, hasSecret, piece, pieces: Math.max(1, pieces.length) };
}

async function secretText(fillings: Fillings, parts: readonly TextPart[]): Promise<string | UnfilledAction> {
  const secrets = await fillings.secrets();
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") {
      text += part;
      continue;
    }
    const value = Object.hasOwn(secrets, part.alias) ? secrets[part.alias] : undefined;
    if (value === undefined) {
      const error = `the value of {$${part.alias}} is gone; retry the run with sensitive_input_values`;
      return unfilled("secrets_gone", error);
    }
    if (!part.isCode) {
      text += value;
      continue;
    }
    const code = await currentCode(fillings.deps, value);
    if (code === undefined) {
      const error = `{$${part.alias}} is no seed of one-time codes: base32 or an otpauth:// address`;
      return unfilled("step_failed", error);
    }
    text += code;
  }
  return text;
}

/** No piece splits a character. */
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
