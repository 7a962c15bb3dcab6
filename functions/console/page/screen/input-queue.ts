import type { DesktopAction } from "./desktop-action.ts";
import { joined } from "./joined-actions.ts";

export interface InputQueueDeps {
  /** Performs them in their order. @throws when one of them fails. */
  readonly send: (actions: readonly DesktopAction[]) => Promise<unknown>;
  readonly after: (ms: number, callback: () => void) => void;
  readonly now: () => number;
  readonly onState: (state: { readonly isBusy: boolean }) => void;
  /** What was waiting behind the action that failed is dropped: it was meant for another screen. */
  readonly onFailure: (error: unknown) => void;
}

export interface InputQueueOptions {
  /** Each action is a call of its own, so that each has its pictures, and a click waits for a second one. */
  readonly isStepwise: boolean;
}

interface Waiting {
  readonly action: DesktopAction;
  readonly addedMs: number;
  readonly onDone: ((response: unknown) => void) | undefined;
}

/** Between two calls of these types this much time is collected into one, since each call counts for the rate limit. */
const collectedMs: Partial<Record<DesktopAction["type"], number>> = { type: 200, scroll: 120 };
const secondClickMs = 250;
const batchActionsMax = 20;

/** Actions of one person on one desktop: in their order, one call at a time. */
export class InputQueue {
  readonly #deps: InputQueueDeps;
  #options: InputQueueOptions = { isStepwise: false };
  #waiting: Waiting[] = [];
  #isSending = false;
  readonly #sentMs = new Map<DesktopAction["type"], number>();

  constructor(deps: InputQueueDeps) {
    this.#deps = deps;
  }

  configure(options: InputQueueOptions): void {
    this.#options = options;
  }

  /** @param onDone gets the response of an action that has one. */
  add(action: DesktopAction, onDone?: (response: unknown) => void): void {
    const last = this.#waiting.at(-1);
    const both = last === undefined || last.onDone || onDone ? undefined : joined(last.action, action);
    if (last !== undefined && both !== undefined)
      this.#waiting[this.#waiting.length - 1] = { ...last, action: both };
    else this.#waiting.push({ action, addedMs: this.#deps.now(), onDone });
    this.#deps.onState({ isBusy: true });
    this.#pump();
  }

  #pump(): void {
    const [first] = this.#waiting;
    if (this.#isSending || first === undefined) return;
    const restMs = this.#waiting.length > 1 ? 0 : this.#dueMs(first) - this.#deps.now();
    if (restMs > 0) this.#deps.after(restMs, () => this.#pump());
    else void this.#sendNext();
  }

  #dueMs({ action: { type, ...fields }, addedMs }: Waiting): number {
    if (type === "click") {
      const isSingle = "clicks" in fields && fields.clicks === 1;
      return this.#options.isStepwise && isSingle ? addedMs + secondClickMs : addedMs;
    }
    return (this.#sentMs.get(type) ?? Number.NEGATIVE_INFINITY) + (collectedMs[type] ?? 0);
  }

  async #sendNext(): Promise<void> {
    this.#isSending = true;
    const sent = this.#waiting.splice(0, this.#batchLength());
    const actions = sent.map(({ action }) => action);
    for (const { type } of actions) this.#sentMs.set(type, this.#deps.now());
    try {
      const response = await this.#deps.send(actions);
      for (const { onDone } of sent) onDone?.(response);
    } catch (error) {
      this.#waiting = [];
      this.#deps.onFailure(error);
    } finally {
      this.#isSending = false;
      this.#deps.onState({ isBusy: this.#waiting.length > 0 });
      this.#pump();
    }
  }

  /** What has a response of its own, or takes its time, goes alone; texts together stay below a batch's 5,000 characters. */
  #batchLength(): number {
    if (this.#options.isStepwise) return 1;
    let characters = 0;
    const end = this.#waiting.findIndex(({ action, onDone }, at) => {
      if (action.type === "type") characters += action.text.length;
      const isApart = onDone !== undefined || action.type === "drag" || action.type === "open";
      return at === batchActionsMax || isApart || (at > 0 && characters > 5_000);
    });
    return end === -1 ? this.#waiting.length : Math.max(end, 1);
  }
}
