import type { JsonObject } from "../json.ts";

/** The desktop's screen as it sent it. */
export interface Look {
  readonly png: Uint8Array;
  readonly isSettled: boolean;
}

/** What became of a call to the desktop. */
export type Acted =
  | {
      readonly kind: "done";
      /** Of `copy_to_clipboard`, `read_file`, `shell`: what came back. */
      readonly text?: string | undefined;
      /** Undefined where it could not be had. */
      readonly look?: Look | undefined;
    }
  /** The desktop refused it: its own words. */
  | { readonly kind: "failed"; readonly error: string; readonly look?: Look | undefined }
  /** Nothing was done: the desktop is away or busy. */
  | { readonly kind: "away" }
  /** It may have been done: the same call with `repeat` tells. */
  | { readonly kind: "uncertain" }
  /** A repeat, and the driver does not know the action. */
  | { readonly kind: "unknown" };

export interface ActOptions {
  /** Made of assignment and step, so that the driver does it once. */
  readonly actionId: string;
  /** Asks what became of it; does nothing. */
  readonly repeat: boolean;
  readonly settleMs: number;
}

/** A run's desktop. */
export interface Desktop {
  /** An action in the words of the API, and a look after it: one round trip where the driver can. */
  act(action: JsonObject, options: ActOptions): Promise<Acted>;
  /** Undefined while it is away. */
  hasFile(path: string): Promise<boolean | undefined>;
  /** Undefined while it is away. */
  look(settleMs: number, timeoutMs?: number): Promise<Look | undefined>;
}
