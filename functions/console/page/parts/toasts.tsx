import { requestIdOf, sentenceOf } from "../data/say-failure.ts";
import { createStore, useStore } from "../shell/store.ts";
import { Button } from "./button.tsx";

interface Toast {
  readonly id: number;
  readonly kind: "done" | "failed";
  readonly text: string;
  readonly requestId?: string | undefined;
}

/** What went well needs no attention for long; a failure stays until it is closed. */
const doneMs = 5_000;

const toasts = createStore<readonly Toast[]>([]);
let last = 0;

export function sayDone(text: string): void {
  const id = add({ kind: "done", text });
  setTimeout(() => close(id), doneMs);
}

export function sayFailure(failure: unknown): void {
  add({ kind: "failed", text: sentenceOf(failure), requestId: requestIdOf(failure) });
}

function add(toast: Omit<Toast, "id">): number {
  last += 1;
  const id = last;
  toasts.set([...toasts.get().slice(-3), { id, ...toast }]);
  return id;
}

function close(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

/** It is in the page from the start, so that screen readers say what comes into it. */
export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, kind, text, requestId }) => (
        <div key={id} class={`toast toast-${kind}`}>
          <p>
            {text}
            {requestId === undefined ? null : <small>request {requestId}</small>}
          </p>
          <Button text="✕" class="plain" aria-label="Close the message" onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
