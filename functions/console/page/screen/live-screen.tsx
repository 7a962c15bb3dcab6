import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Failure } from "../parts/failure.tsx";
import { Caught } from "./caught.tsx";
import type { DesktopAction } from "./desktop-action.ts";
import type { Size } from "./desktop-point.ts";
import { failureOnDesktop } from "./failure-on-desktop.ts";
import { ScreenToolbar } from "./screen-toolbar.tsx";
import { type DesktopInput, useDesktopInput } from "./use-desktop-input.ts";
import { useScreen } from "./use-screen.ts";

export interface LiveScreenProps {
  readonly machineId: string;
  /** What screen readers call the desktop. */
  readonly name: string;
  /** Nothing is asked of a desktop that is away. @default true */
  readonly isConnected?: boolean;
  /** Whether mouse and keyboard go to the desktop. */
  readonly canAct: boolean;
  /** Fields that each typed text is sent with, such as `as_input`. */
  readonly textFields?: Readonly<Record<string, unknown>>;
  /** Each action is a call of its own, as a recording needs it. @default false */
  readonly isStepwise?: boolean;
  /** Told of each action that the desktop has performed. */
  readonly onAction?: (action: DesktopAction) => void;
  /** Told when actions begin to wait for the desktop, and when none does any more. */
  readonly onBusy?: (isBusy: boolean) => void;
  /** Further buttons of the toolbar; they get the queue of actions, to send in the same order. */
  readonly children?: (input: DesktopInput) => ComponentChildren;
}

/** A desktop as it is now, with mouse and keyboard where that is allowed. */
export function LiveScreen({
  machineId,
  name,
  isConnected = true,
  canAct,
  textFields,
  isStepwise = false,
  onAction,
  onBusy,
  children,
}: LiveScreenProps) {
  const { url, error, lookNow } = useScreen(machineId, { isOff: !isConnected, hasPointer: !canAct });
  const input = useDesktopInput(machineId, { isStepwise, onAction, onDone: lookNow });
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size | undefined>();
  const [isWhole, setWhole] = useState(false);
  const [isCaught, setCaught] = useState(false);
  const hintId = useId();
  useEffect(() => onBusy?.(input.isBusy), [input.isBusy]);
  const isOn = canAct && isConnected && size !== undefined;
  return (
    <div class={`live-screen${isCaught ? " is-caught" : ""}${isWhole ? " is-whole" : ""}`} ref={frame}>
      <div
        class="live-screen-view"
        {...(isWhole ? { tabIndex: 0, role: "region", "aria-label": `${name}, scrolled` } : {})}
      >
        {url === undefined ? (
          <p class="live-screen-blank">{isConnected ? "Looking …" : "The machine is not connected."}</p>
        ) : (
          <div class="live-screen-picture">
            <img
              src={url}
              alt={`The screen of ${name}`}
              draggable={false}
              onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
                if (width !== size?.width || height !== size.height) setSize({ width, height });
              }}
            />
            {isOn ? (
              <Caught
                display={size}
                name={name}
                hintId={hintId}
                canPan={isWhole}
                textFields={textFields}
                send={input.send}
                onCaught={setCaught}
              />
            ) : null}
            {isConnected ? null : <p class="live-screen-away">Not connected: this is the last picture.</p>}
          </div>
        )}
      </div>
      <ScreenToolbar
        frame={frame}
        size={size}
        canAct={isOn}
        isWhole={isWhole}
        onWhole={setWhole}
        input={input}
        hint={
          <span id={hintId}>
            {isCaught
              ? "The keyboard goes to the desktop; Escape twice gives it back."
              : "Click on it, or press Enter, to give it the keyboard."}
          </span>
        }
        isCaught={isCaught}
      >
        {children?.(input)}
      </ScreenToolbar>
      {input.error === undefined ? null : <Failure error={failureOnDesktop(input.error)} />}
      {error === undefined || !isConnected ? null : (
        <Failure error={failureOnDesktop(error)} onRetry={lookNow} />
      )}
    </div>
  );
}
