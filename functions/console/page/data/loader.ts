export interface Loaded<Data> {
  /** The data of the last reading, which stays while it is read anew, and when that fails. */
  readonly data: Data | undefined;
  /** Why the last attempt failed. */
  readonly error: unknown;
  readonly isLoading: boolean;
}

/**
 * Reads something again and again: one request at a time, and whatever asks for it meanwhile is served by one more.
 * The state changes only when what was read does, so that the page is not drawn anew for nothing.
 */
export class Loader<Data> {
  #state: Loaded<Data> = { data: undefined, error: undefined, isLoading: true };
  readonly #load: (signal: AbortSignal) => Promise<Data>;
  readonly #onState: (state: Loaded<Data>) => void;
  readonly #stopped = new AbortController();
  #isReading = false;
  #isAskedAgain = false;
  #text: string | undefined;

  constructor(load: (signal: AbortSignal) => Promise<Data>, onState: (state: Loaded<Data>) => void) {
    this.#load = load;
    this.#onState = onState;
  }

  readonly reload = async (): Promise<void> => {
    if (this.#isReading) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isReading = true;
    try {
      do {
        this.#isAskedAgain = false;
        await this.#readOnce();
      } while (this.#isAskedAgain && !this.#stopped.signal.aborted);
    } finally {
      this.#isReading = false;
    }
  };

  stop(): void {
    this.#stopped.abort();
  }

  async #readOnce(): Promise<void> {
    if (!this.#state.isLoading) this.#change({ ...this.#state, isLoading: true });
    try {
      const data = await this.#load(this.#stopped.signal);
      const text = data instanceof Uint8Array ? undefined : JSON.stringify(data);
      const isSame = text !== undefined && text === this.#text;
      this.#text = text;
      this.#change({ data: isSame ? this.#state.data : data, error: undefined, isLoading: false });
    } catch (error) {
      this.#change({ data: this.#state.data, error, isLoading: false });
    }
  }

  #change(state: Loaded<Data>): void {
    if (this.#stopped.signal.aborted) return;
    this.#state = state;
    this.#onState(state);
  }
}
