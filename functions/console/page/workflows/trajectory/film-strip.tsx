import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { PromptText } from "../edit/prompt-text.tsx";
import { type EditedElement, moved } from "./edit-elements.ts";
import { type Display, ElementPicture } from "./element-picture.tsx";
import { type ElementView, elementView, textOf, wordsOf } from "./element-view.ts";

interface FilmStripProps {
  readonly elements: readonly EditedElement[];
  readonly display: Display | null;
  /** By the element's place. */
  readonly problems: ReadonlyMap<number | undefined, readonly string[]>;
  /** Places of the elements that a warning names. */
  readonly warned: ReadonlySet<number>;
  readonly isReadOnly: boolean;
  readonly onElements: (elements: readonly EditedElement[]) => void;
  readonly onEdit: (id: number) => void;
}

/** The elements as pictures in their order: moved by drag or by buttons, changed by a click. */
export function FilmStrip(props: FilmStripProps) {
  const { elements, display, problems, warned, isReadOnly, onElements, onEdit } = props;
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const drop = (at: number) => {
    const from = elements.findIndex(({ id }) => id === dragged);
    if (from >= 0) onElements(moved(elements, from, at));
    setDragged(undefined);
    setOver(undefined);
  };
  return (
    <ol class="film" aria-label="Steps of the recording">
      {elements.map(({ id, value }, at) => {
        const view = elementView(value);
        const words = view === undefined ? "Not of the service’s format" : wordsOf(view);
        return (
          <li
            key={id}
            class={over === at && dragged !== id ? "frame frame-over" : "frame"}
            draggable={!isReadOnly}
            onDragStart={() => setDragged(id)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              setOver(at);
            }}
            onDrop={(event) => {
              event.preventDefault();
              drop(at);
            }}
          >
            <header>
              <span class="frame-number">{at + 1}</span>
              {view?.isByModel ? <span class="status status-busy">a model decides</span> : null}
              {view?.isOptional ? <span class="status">if it is there</span> : null}
              {warned.has(at) ? <span class="status status-busy">see “What may be wrong”</span> : null}
            </header>
            <FrameContent view={view} value={value} words={words} display={display} />
            {(problems.get(at) ?? []).map((problem) => (
              <p key={problem} class="frame-problem" role="alert">
                {problem}
              </p>
            ))}
            {isReadOnly ? null : (
              <div class="frame-buttons">
                <Button
                  text="←"
                  class="small plain"
                  aria-label={`Move step ${at + 1} to the front`}
                  disabled={at === 0}
                  onClick={() => onElements(moved(elements, at, at - 1))}
                />
                <Button
                  text="→"
                  class="small plain"
                  aria-label={`Move step ${at + 1} to the back`}
                  disabled={at === elements.length - 1}
                  onClick={() => onElements(moved(elements, at, at + 1))}
                />
                {view === undefined ? null : (
                  <Button
                    text="Change"
                    class="small"
                    aria-label={`Change step ${at + 1}: ${words}`}
                    onClick={() => onEdit(id)}
                  />
                )}
                <Button
                  text="✕"
                  class="small plain"
                  aria-label={`Remove step ${at + 1}: ${words}`}
                  onClick={() => onElements(elements.filter((each) => each.id !== id))}
                />
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface FrameContentProps {
  readonly view: ElementView | undefined;
  readonly value: unknown;
  readonly words: string;
  readonly display: Display | null;
}

function FrameContent({ view, value, words, display }: FrameContentProps) {
  if (view === undefined) {
    return (
      <>
        <p>{words}</p>
        <code class="frame-json">{JSON.stringify(value).slice(0, 300)}</code>
      </>
    );
  }
  const text = textOf(view);
  const hasPicture = view.screen !== undefined || view.pieces.length > 0;
  return (
    <>
      {hasPicture ? (
        <ElementPicture view={view} display={display} alt={`The screen before: ${words}`} />
      ) : (
        <div class="shot shot-none" aria-hidden="true">
          {view.action.type === "finish" ? "✓" : "…"}
        </div>
      )}
      <p class="frame-words">
        <PromptText prompt={words} />
      </p>
      {text === undefined ? null : (
        <p class="frame-text">
          <PromptText prompt={text.slice(0, 300)} />
        </p>
      )}
      {view.action.type === "finish" && (view.action.output ?? null) !== null ? (
        <p class="frame-text">
          <PromptText prompt={JSON.stringify(view.action.output).slice(0, 300)} />
        </p>
      ) : null}
    </>
  );
}
