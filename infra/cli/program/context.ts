import type { ApiClient } from "../../../shared/client/api-client.ts";
import type { ChosenService } from "../service/choose-service.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `table` is for people; `json` is the whole body, `lines` one JSON text for each item. */
type OutputForm = "table" | "json" | "lines";

export interface Connection extends ChosenService {
  readonly client: ApiClient;
}

/** @param isFinal is true where nobody can be asked: the process is to end, or the terminal is gone. */
export type InterruptListener = (isFinal: boolean) => void;

/** What a command gets beside what was given on its line. */
export interface Context {
  readonly terminal: Terminal;
  readonly form: OutputForm;
  /** Of `--profile`. */
  readonly profile: string | undefined;
  /** The folder in which the command was called. */
  readonly folder: string;
  /** Aborted by ctrl-C, unless the command takes that over by `onInterrupt`. */
  readonly signal: AbortSignal;
  /** From now on ctrl-C calls this instead of ending the command. @returns a function that ends this. */
  onInterrupt(listener: InterruptListener): () => void;
  /** Chosen and made at the first call. @throws {UsageError} if there is no key. */
  connect(): Promise<Connection>;
  readonly fetch: typeof fetch;
}
