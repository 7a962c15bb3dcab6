import type { JsonObject } from "../json.ts";

/** The desktop's screen as it sent it. */
export interface Look {
  readonly png: Uint8Array;
  readonly isSettled: boolean;
}

/** The outcome of a call to the desktop. */
export type Acted =
  | {
      readonly kind: "done";
      /** The text that `copy_to_clipboard`, `read_file` or `shell` returned. */
      readonly text?: string | undefined;
      /** A note for people. */
      readonly note?: string | undefined;
      /** Undefined where it could not be had. */
      readonly look?: Look | undefined;
    }
  /** The desktop refused it: its own words. */
  | { readonly kind: "failed"; readonly error: string; readonly look?: Look | undefined }
  /** Nothing was done: the desktop is away or busy. */
  | { readonly kind: "away" }
  /** It may have been done: the same call with `repeat` finds out. */
  | { readonly kind: "uncertain" }
  /** A repeat, and the driver does not know the action. */
  | { readonly kind: "unknown" };

/** A file is on its way still. */
export interface Slow {
  readonly kind: "slow";
  /** How long it was waited for. */
  readonly waitedMs: number;
  /** Whether the driver goes on with it: the same call finds it there at last. */
  readonly goesOn: boolean;
}

/** The failed outcomes of a call that changes nothing. */
export type Missed = Extract<Acted, { readonly kind: "failed" | "away" | "uncertain" }>;

export interface ListedFile {
  readonly name: string;
  readonly isFolder: boolean;
  readonly sizeBytes: number;
}

/** A file of the desktop and the object that it comes from or becomes. */
export interface Transfer {
  readonly path: string;
  readonly key: string;
}

export interface ActOptions {
  /** Made of assignment and step, so that the driver does it once. */
  readonly actionId: string;
  /** Asks what became of it; does nothing. */
  readonly repeat: boolean;
  readonly settleMs: number;
  /** Nothing is sent before it resolves, and nothing at all unless to true. @default it may be sent at once */
  readonly allowed?: Promise<boolean>;
}

/** A run's desktop. */
export interface Desktop {
  /** Resolves when nothing of the calls before goes on: to be waited for before an invocation may end. */
  settled(): Promise<void>;
  /** An action in the words of the API, and a look after it: one round trip where the driver can. */
  act(action: JsonObject, options: ActOptions): Promise<Acted>;
  /** Names of the programs that it opens, as its driver named them last. */
  programs(): Promise<readonly string[]>;
  /** Undefined while it is away. */
  hasFile(path: string): Promise<boolean | undefined>;
  /** Whole or not at all, in a folder that is made for it where the driver can. The object goes there directly. */
  putFile(transfer: Transfer, actionId: string): Promise<Acted | Slow>;
  /** With those above it; one that is there is left as it is. Its text is the whole path, as the desktop has it. */
  makeFolder(path: string, actionId: string): Promise<Acted>;
  /** Lists a folder's files; a folder that is not there has none. */
  listFiles(
    path: string,
  ): Promise<{ readonly kind: "files"; readonly files: readonly ListedFile[] } | Missed>;
  /** The file goes to the object directly, unless that is there. */
  takeFile(
    transfer: Transfer,
    actionId: string,
  ): Promise<{ readonly kind: "taken"; readonly sizeBytes: number } | Missed | Slow>;
  /** A folder with all that is in it. Where the driver cannot, a file is emptied, and its note says so. */
  removeFile(path: string, actionId: string): Promise<Acted>;
  /** Undefined while it is away. */
  look(settleMs: number, timeoutMs?: number): Promise<Look | undefined>;
}
