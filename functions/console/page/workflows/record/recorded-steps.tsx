import { useEffect, useRef } from "preact/hooks";
import type { CallResponse } from "../../../../../shared/client/call-types.ts";
import type { Resource } from "../../data/use-call.ts";
import { Show } from "../../parts/show.tsx";
import { PromptText } from "../edit/prompt-text.tsx";
import { elementView, textOf, wordsOf } from "../trajectory/element-view.ts";

interface RecordedStepsProps {
  readonly steps: Resource<CallResponse<"listRecordedSteps">>;
  readonly recordingId: string;
}

/** Actions as they are recorded, the newest in view; looks between them are none. */
export function RecordedSteps({ steps, recordingId }: RecordedStepsProps) {
  const list = useRef<HTMLOListElement>(null);
  const count = steps.data?.items.length ?? 0;
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, [count]);
  return (
    <Show of={steps}>
      {({ items }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard.
        <ol class="recorded" ref={list} tabIndex={0} aria-label="Recorded steps" data-recording={recordingId}>
          {items
            .filter(({ action }) => action.type !== "screenshot")
            .map(({ index, action, status, error }) => {
              const view = elementView({ action });
              const text = view && textOf(view);
              return (
                <li key={index}>
                  <PromptText prompt={view === undefined ? String(action.type) : wordsOf(view)} />
                  {text === undefined ? null : (
                    <>
                      {" "}
                      <code>
                        <PromptText prompt={text.slice(0, 100)} />
                      </code>
                    </>
                  )}
                  {status === "done" ? null : (
                    <small class="frame-problem"> left out: {error ?? status}</small>
                  )}
                </li>
              );
            })}
        </ol>
      )}
    </Show>
  );
}
