import type {
  LiveMessage,
  MachineChangedMessage,
  RunChangedMessage,
  StepRecordedMessage,
} from "../contract/live.ts";
import { topicsMax } from "../vocabulary/live.ts";

export type LiveState = "idle" | "connecting" | "live" | "polling";

type Hint = RunChangedMessage | StepRecordedMessage | MachineChangedMessage;

export interface LiveSocket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export interface LiveDeps {
  /** @returns the address to open, for one socket. @throws when the service refuses. */
  readonly openTicket: () => Promise<string>;
  readonly openSocket: (url: string) => LiveSocket;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly random: () => number;
  readonly onState: (state: LiveState) => void;
}

/** Gets the hint, or `undefined` when hints may have been missed: in both cases it reads anew what it shows. */
type Listener = (hint: Hint | undefined) => void;

/** The service refuses all topics for one that cannot be, such as one made of what stands in a page's address. */
const isTopic = /^(machines|runs|(machine|run):[0-9a-f-]{36})$/;
const pollMs = 5_000;
/** API Gateway closes a connection that is silent for 10 minutes. */
const pingMs = 240_000;
const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** Topics that are shown together change together. */
const settleMs = 20;

/**
 * Hints of changes for all parts of a page or program, over one socket while any part watches something. Where the
 * service refuses a ticket, every part reads anew each 5 s, and further tickets are asked for.
 */
export class LiveChannel {
  readonly #deps: LiveDeps;
  readonly #watches = new Set<{ readonly topics: readonly string[]; readonly listener: Listener }>();
  #socket: LiveSocket | undefined;
  #state: LiveState = "idle";
  #failures = 0;
  #isOpening = false;
  #isStopped = false;
  #sent = "";
  #cancelTimer: (() => void) | undefined;
  #cancelSettle: (() => void) | undefined;
  #cancelPoll: (() => void) | undefined;

  constructor(deps: LiveDeps) {
    this.#deps = deps;
  }

  /** @returns a function that ends it. */
  watch(topics: readonly string[], listener: Listener): () => void {
    const watch = { topics, listener };
    this.#watches.add(watch);
    this.#settle();
    return () => {
      this.#watches.delete(watch);
      this.#settle();
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#watches.clear();
    this.#end();
  }

  #settle(): void {
    this.#cancelSettle?.();
    this.#cancelSettle = this.#deps.after(settleMs, () => {
      if (this.#isStopped) return;
      if (this.#watches.size === 0) this.#end();
      else if (this.#state === "live") this.#sendTopics();
      else if (this.#state === "idle") void this.#open();
    });
  }

  #end(): void {
    this.#cancelTimer?.();
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket !== undefined && this.#state === "live") socket.close();
    // Closed while it connects, it would be an error in the browser's console.
    else if (socket !== undefined) socket.onopen = () => socket.close();
    this.#setState("idle");
  }

  #setState(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#deps.onState(state);
  }

  async #open(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    if (this.#state !== "polling") this.#setState("connecting");
    try {
      const url = await this.#deps.openTicket();
      if (!this.#isStopped && this.#watches.size > 0) this.#use(this.#deps.openSocket(url));
      else this.#setState("idle");
    } catch {
      this.#lost();
    } finally {
      this.#isOpening = false;
    }
  }

  #use(socket: LiveSocket): void {
    this.#socket = socket;
    this.#sent = "";
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#failures = 0;
      this.#cancelPoll?.();
      this.#cancelPoll = undefined;
      this.#setState("live");
      this.#sendTopics();
      this.#keepAlive(socket);
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #keepAlive(socket: LiveSocket): void {
    this.#cancelTimer = this.#deps.after(pingMs, () => {
      if (socket !== this.#socket) return;
      socket.send(JSON.stringify({ type: "ping" }));
      this.#keepAlive(socket);
    });
  }

  #sendTopics(): void {
    const wanted = [...this.#watches].flatMap(({ topics }) => topics).filter((topic) => isTopic.test(topic));
    const all = [...new Set(wanted)].sort().slice(0, topicsMax);
    const text = JSON.stringify({ type: "watch", topics: all });
    if (text === this.#sent) return;
    this.#sent = text;
    this.#socket?.send(text);
  }

  #receive(data: unknown): void {
    const message = parsed(data);
    if (message === undefined) return;
    // A change before the service watched has no hint.
    if (message.type === "watching" || message.type === "missed") this.#tellAll();
    if (!isHint(message)) return;
    const touched = topicsOf(message);
    for (const { topics, listener } of [...this.#watches]) {
      if (touched.some((topic) => topics.includes(topic))) listener(message);
    }
  }

  #tellAll(): void {
    for (const { listener } of [...this.#watches]) listener(undefined);
  }

  #lost(): void {
    this.#socket = undefined;
    if (this.#isStopped || this.#watches.size === 0) {
      this.#setState("idle");
      return;
    }
    this.#failures += 1;
    this.#setState("polling");
    this.#poll();
    const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - 1));
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.after(longest * (0.5 + this.#deps.random() / 2), () => void this.#open());
  }

  #poll(): void {
    if (this.#cancelPoll !== undefined) return;
    const next = () => {
      this.#cancelPoll = this.#deps.after(pollMs, () => {
        this.#tellAll();
        next();
      });
    };
    next();
  }
}

/** A later release may send more than this one knows. */
function parsed(data: unknown): LiveMessage | undefined {
  try {
    const message: unknown = JSON.parse(String(data));
    const isMessage = typeof message === "object" && message !== null && "type" in message;
    return isMessage ? (message as LiveMessage) : undefined;
  } catch {
    return undefined;
  }
}

const hintTypes: readonly string[] = [
  "run.changed",
  "step.recorded",
  "machine.changed",
] satisfies readonly Hint["type"][];

function isHint(message: LiveMessage): message is Hint {
  return hintTypes.includes(message.type);
}

function topicsOf(hint: Hint): readonly string[] {
  if (hint.type === "machine.changed") return ["machines", `machine:${hint.machine_id}`];
  return hint.type === "run.changed" ? ["runs", `run:${hint.run_id}`] : [`run:${hint.run_id}`];
}
