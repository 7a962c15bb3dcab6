import { promptParts } from "./prompt-names.ts";

/** A prompt with what it names marked. */
export function PromptText({ prompt }: { readonly prompt: string }) {
  return (
    <>
      {promptParts(prompt).map(({ kind, text }, at) =>
        kind === "text" ? (
          text
        ) : (
          <mark key={at} class={`named named-${kind}`}>
            {text}
          </mark>
        ),
      )}
    </>
  );
}
