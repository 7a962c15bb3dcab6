import { CopyButton } from "./copy-button.tsx";

/** A command or a text to copy, in its own scrolling box. */
export function Command({ text, label = "Command" }: { readonly text: string; readonly label?: string }) {
  return (
    <div class="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by the keyboard. */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} />
    </div>
  );
}
