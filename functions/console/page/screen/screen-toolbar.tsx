import type { ComponentChildren, RefObject } from "preact";
import { Button } from "../parts/button.tsx";
import { sayDone, sayFailure } from "../parts/toasts.tsx";
import type { Size } from "./desktop-point.ts";
import { textsOf } from "./typed-texts.ts";
import type { DesktopInput } from "./use-desktop-input.ts";

interface ScreenToolbarProps {
  readonly frame: RefObject<HTMLElement | null>;
  readonly size: Size | undefined;
  readonly canAct: boolean;
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
  readonly input: DesktopInput;
  readonly hint: ComponentChildren;
  readonly isCaught: boolean;
  readonly children: ComponentChildren;
}

/** Keys that the browser or the system keeps for itself. */
const keptKeys: readonly (readonly [label: string, keys: string])[] = [
  ["Ctrl+Alt+Delete", "ctrl+alt+Delete"],
  ["Alt+Tab", "alt+Tab"],
  ["Alt+F4", "alt+F4"],
  ["Super", "super"],
  ["Ctrl+V", "ctrl+v"],
  ["Ctrl+W", "ctrl+w"],
  ["Ctrl+T", "ctrl+t"],
  ["Escape", "Escape"],
  ["Print", "Print"],
];
const copied = "copied";

export function ScreenToolbar(props: ScreenToolbarProps) {
  const { frame, size, canAct, isWhole, onWhole, input, hint, isCaught, children } = props;
  const copy = () =>
    input.send({ type: "copy_to_clipboard", text: copied }, (response) => {
      const text = (response as Readonly<Record<string, string>>)[copied] ?? "";
      if (text === "") return sayDone("The desktop's clipboard is empty.");
      navigator.clipboard
        .writeText(text)
        .then(() => sayDone(`${text.length} characters are copied.`), sayFailure);
    });
  const paste = async () => {
    try {
      for (const text of textsOf(await navigator.clipboard.readText())) input.send({ type: "type", text });
    } catch (failure) {
      sayFailure(failure);
    }
  };
  const keyboard = () => frame.current?.querySelector("textarea")?.focus();
  const full = () => {
    if (document.fullscreenElement === null) void frame.current?.requestFullscreen();
    else void document.exitFullscreen();
  };
  return (
    <div class="live-screen-bar">
      <span class={`live-screen-dot${input.isBusy ? " is-busy" : ""}`} aria-hidden="true" />
      {canAct ? (
        <p class="live-screen-hint">{hint}</p>
      ) : (
        <p class="live-screen-hint">{size === undefined ? null : `${size.width} × ${size.height}`}</p>
      )}
      <div class="live-screen-buttons">
        {canAct ? (
          <>
            <Button text="Keyboard" class="small for-touch" aria-pressed={isCaught} onClick={keyboard} />
            <details class="menu" onKeyDown={closeByEscape}>
              <summary class="button small">Keys</summary>
              <div class="menu-items">
                {keptKeys.map(([label, keys]) => (
                  <Button key={keys} text={label} onClick={() => input.send({ type: "key", text: keys })} />
                ))}
              </div>
            </details>
            <Button text="Copy" class="small" title="Copies what is selected on the desktop" onClick={copy} />
            <Button text="Paste" class="small" title="Types the text of your clipboard" onClick={paste} />
          </>
        ) : null}
        <Button text="1:1" class="small" aria-pressed={isWhole} onClick={() => onWhole(!isWhole)} />
        <Button text="Full screen" class="small" onClick={full} />
      </div>
      {children}
    </div>
  );
}

function closeByEscape(event: KeyboardEvent): void {
  if (event.key !== "Escape" || !(event.currentTarget instanceof HTMLDetailsElement)) return;
  event.currentTarget.open = false;
  event.currentTarget.querySelector("summary")?.focus();
}
