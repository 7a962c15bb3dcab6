import type { JsonObject } from "../json.ts";

export interface Look {
  readonly png: Uint8Array;
  readonly isSettled: boolean;
  /** The run was held when its machine was last read. */
  readonly isHeld?: boolean;
}

export type Acted =
  | {
      readonly kind: "done";
      readonly text?: string | undefined;
      readonly note?: string | undefined;
      readonly look?: Look | undefined;
    }
  /** The error holds the desktop's own words. */
  | { readonly kind: "failed"; readonly error: string; readonly look?: Look | undefined }
  /** Nothing was done: the desktop is away or busy. */
  | { readonly kind: "away" }
  /** The action may have been done: the same call with `repeat` finds out. */
  | { readonly kind: "uncertain" }
  /** The driver does not know the repeated action. */
  | { readonly kind: "unknown" };

export interface Slow {
  readonly kind: "slow";
  readonly waitedMs: number;
  /** The driver continues the transfer, so that the same call finds it done in the end. */
  readonly goesOn: boolean;
}

export type Missed = Extract<Acted, { readonly kind: "failed" | "away" | "uncertain" }>;

export interface ListedFile {
  readonly name: string;
  readonly isFolder: boolean;
  readonly sizeBytes: number;
}

export interface Transfer {
  readonly path: string;
  readonly key: string;
}

export interface ActOptions {
  /** The id derives from assignment and step, so that the driver acts once. */
  readonly actionId: string;
  /** A repeat only queries the outcome. */
  readonly repeat: boolean;
  readonly settleMs: number;
  /** Nothing is sent before this resolves to true. @default the action is sent at once */
  readonly allowed?: Promise<boolean>;
}

export interface Desktop {
  /** Resolves when no earlier call is still under way; an invocation may end only then. */
  settled(): Promise<void>;
  /** Performs an API action and takes a picture after it, in one round trip where the driver supports it. */
  act(action: JsonObject, options: ActOptions): Promise<Acted>;
  programs(): Promise<readonly string[]>;
  /** Undefined means that the desktop is away. */
  hasFile(path: string): Promise<boolean | undefined>;
  /** The file arrives whole or not at all, directly from the object. Its folder is made where the driver can. */
  putFile(transfer: Transfer, actionId: string): Promise<Acted | Slow>;
  /** Parents are made, too; an existing folder stays as it is. The returned text is the desktop's own full path. */
  makeFolder(path: string, actionId: string): Promise<Acted>;
  listFiles(
    path: string,
  ): Promise<{ readonly kind: "files"; readonly files: readonly ListedFile[] } | Missed>;
  /** The file goes directly to the object, unless that exists. */
  takeFile(
    transfer: Transfer,
    actionId: string,
  ): Promise<{ readonly kind: "taken"; readonly sizeBytes: number } | Missed | Slow>;
  /** Folders are removed with their content. A driver that cannot remove empties the file, and the note says so. */
  removeFile(path: string, actionId: string): Promise<Acted>;
  /** Undefined means that the desktop is away. */
  look(settleMs: number, timeoutMs?: number): Promise<Look | undefined>;
}
