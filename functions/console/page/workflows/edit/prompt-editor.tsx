import { useId, useRef } from "preact/hooks";
import { readPrompt } from "./prompt-names.ts";
import { PromptText } from "./prompt-text.tsx";
import { namesOf } from "./schema-rows.ts";

interface PromptEditorProps {
  readonly prompt: string;
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly includesFileExports: boolean;
  readonly isReadOnly?: boolean;
  readonly onPrompt: (prompt: string) => void;
  /** Describes an input that the schema does not have yet. */
  readonly onAddInput?: (name: string) => void;
}

/** The prompt as text, with what it names marked below the letters, and listed with what is wrong with it. */
export function PromptEditor({
  prompt,
  schema,
  includesFileExports,
  isReadOnly = false,
  onPrompt,
  onAddInput,
}: PromptEditorProps) {
  const id = useId();
  const marks = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const { names, unnamed, mistaken } = readPrompt(prompt, namesOf(schema), includesFileExports);
  const insert = (text: string) => {
    const { selectionStart = prompt.length, selectionEnd = prompt.length } = area.current ?? {};
    onPrompt(`${prompt.slice(0, selectionStart)}${text}${prompt.slice(selectionEnd)}`);
    area.current?.focus();
  };
  return (
    <div class="field">
      <label for={id}>What is to be done</label>
      <div class="prompt">
        <div class="prompt-marks" ref={marks} aria-hidden="true">
          <PromptText prompt={prompt} />
          {"\n"}
        </div>
        <textarea
          id={id}
          ref={area}
          class="prompt-area"
          rows={7}
          maxLength={100_000}
          value={prompt}
          readOnly={isReadOnly}
          aria-describedby={`${id}-names`}
          placeholder="Open the shop as {user} with {$password} and print the invoice of {customer}."
          onInput={(event) => onPrompt(event.currentTarget.value)}
          onScroll={(event) => {
            if (marks.current) marks.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      <div id={`${id}-names`} class="prompt-names" aria-live="polite">
        <ul>
          {names.map(({ name, isSecret, isInSchema, count }) => (
            <li key={`${isSecret}${name}`}>
              <mark class={`named named-${isSecret ? "secret" : "input"}`}>
                {isSecret ? `{$${name}}` : `{${name}}`}
              </mark>
              <small>
                {isSecret
                  ? "secret: given with each run, or the machine's"
                  : isInSchema
                    ? "input"
                    : "input, not described"}
                {count > 1 ? `, ${count} times` : ""}
              </small>
              {isSecret || isInSchema || isReadOnly || onAddInput === undefined ? null : (
                <button type="button" class="small" onClick={() => onAddInput(name)}>
                  Describe {name}
                </button>
              )}
            </li>
          ))}
          {mistaken.map(({ text, instead }, at) => (
            <li key={`m${at}`}>
              <mark class="named named-mistaken">{text}</mark>
              <small>is plain text: a name is written {instead}</small>
              {isReadOnly ? null : (
                <button
                  type="button"
                  class="small"
                  onClick={() => onPrompt(prompt.replaceAll(text, instead))}
                >
                  Write {instead}
                </button>
              )}
            </li>
          ))}
          {unnamed.map((name) => (
            <li key={`u${name}`}>
              <code>{name}</code>
              <small>is described, and the prompt does not name it</small>
              {isReadOnly ? null : (
                <button type="button" class="small" onClick={() => insert(`{${name}}`)}>
                  Insert {`{${name}}`}
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
