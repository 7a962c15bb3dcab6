import { useEffect, useRef, useState } from "preact/hooks";
import type { DesktopAction, MouseButton } from "./desktop-action.ts";
import { type Box, desktopPoint, nearestPoint, type Point, type Size } from "./desktop-point.ts";
import { typedBy } from "./key-strokes.ts";
import { textsOf } from "./typed-texts.ts";
import { Wheel } from "./wheel.ts";

interface CaughtProps {
  readonly display: Size;
  readonly name: string;
  readonly hintId: string;
  /** One finger moves the view instead of dragging on the desktop. */
  readonly canPan: boolean;
  readonly textFields: Readonly<Record<string, unknown>> | undefined;
  readonly send: (action: DesktopAction) => void;
  readonly onCaught: (isCaught: boolean) => void;
}

interface Pressed extends Point {
  readonly button: MouseButton;
  readonly pointerId: number;
  readonly atMs: number;
  readonly longPress: ReturnType<typeof setTimeout> | undefined;
}

const buttons: Readonly<Record<number, MouseButton>> = { 0: "left", 1: "middle", 2: "right" };
/** A hand that clicks moves less. */
const dragPixels = 5;
const longPressMs = 550;
/** An Escape waits this long for a second one, which gives the keyboard back: the desktop gets neither then. */
const twoEscapesMs = 500;
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** Phones report a deleted character only where there is one. */
const filling = " ";

/**
 * Takes mouse, touch and keyboard above the picture. It is a text field, so that phones show their keyboard and input
 * methods work. The keyboard is the desktop's only after a click or Enter, until Escape is pressed twice or the focus goes.
 */
export function Caught({ display, name, hintId, canPan, textFields, send: sendNow, onCaught }: CaughtProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const pressed = useRef<Pressed | undefined>(undefined);
  const wheel = useRef(new Wheel());
  const heldEscape = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [isCaught, setIsCaught] = useState(false);
  const [mark, setMark] = useState<(Point & { readonly id: number }) | undefined>();

  const setCaught = (isNow: boolean) => {
    setIsCaught(isNow);
    onCaught(isNow);
  };
  useEffect(() => () => onCaught(false), []);

  const forgetEscape = () => {
    clearTimeout(heldEscape.current);
    heldEscape.current = undefined;
  };
  const sendEscape = () => {
    forgetEscape();
    sendNow({ type: "key", text: "Escape" });
  };
  const send = (action: DesktopAction) => {
    if (heldEscape.current !== undefined) sendEscape();
    sendNow(action);
  };

  const box = (): Box => field.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 };
  const pointOf = (event: { readonly clientX: number; readonly clientY: number }) =>
    desktopPoint({ x: event.clientX, y: event.clientY }, box(), display);
  const click = (at: Point, button: MouseButton) => {
    setMark({ ...at, id: (mark?.id ?? 0) + 1 });
    send({ type: "click", ...at, button, clicks: 1 });
  };
  const type = (text: string) => {
    for (const part of textsOf(text)) send({ type: "type", text: part, ...textFields });
  };

  const onPointerDown = (event: PointerEvent) => {
    const button = buttons[event.button];
    if (button === undefined) return;
    if (event.pointerType !== "touch") {
      event.preventDefault();
      field.current?.focus({ preventScroll: true });
      setCaught(true);
    }
    if (!canPan || event.pointerType !== "touch") field.current?.setPointerCapture(event.pointerId);
    clearTimeout(pressed.current?.longPress);
    const at = { x: event.clientX, y: event.clientY };
    const longPress =
      event.pointerType === "touch"
        ? setTimeout(() => {
            pressed.current = undefined;
            const point = pointOf(event);
            if (point !== undefined) click(point, "right");
          }, longPressMs)
        : undefined;
    pressed.current = { ...at, button, pointerId: event.pointerId, atMs: performance.now(), longPress };
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = pressed.current;
    if (from?.longPress !== undefined && isFar(from, event)) clearTimeout(from.longPress);
  };
  const forget = () => {
    clearTimeout(pressed.current?.longPress);
    pressed.current = undefined;
  };
  const onPointerUp = (event: PointerEvent) => {
    const from = pressed.current;
    if (from === undefined || from.pointerId !== event.pointerId) return;
    forget();
    const start = desktopPoint(from, box(), display);
    if (start === undefined) return;
    if (!isFar(from, event)) {
      click(start, from.button);
      return;
    }
    const to = nearestPoint({ x: event.clientX, y: event.clientY }, box(), display);
    if (to === undefined || (canPan && event.pointerType === "touch")) return;
    const duration = Math.min(2, Math.max(0.1, (performance.now() - from.atMs) / 1_000));
    setMark({ ...to, id: (mark?.id ?? 0) + 1 });
    send({
      type: "drag",
      start_x: start.x,
      start_y: start.y,
      to_x: to.x,
      to_y: to.y,
      duration: Math.round(duration * 100) / 100,
      button: from.button,
    });
  };
  const onWheel = (event: WheelEvent) => {
    if (!isCaught || (canPan && !event.altKey)) return;
    event.preventDefault();
    const at = pointOf(event);
    if (at === undefined) return;
    for (const turn of wheel.current.turn(event)) send({ type: "scroll", ...at, ...turn });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isCaught) {
      if (event.key !== "Enter") return;
      event.preventDefault();
      setCaught(true);
      return;
    }
    const { key, ctrlKey, altKey, metaKey, shiftKey, isComposing } = event;
    const isAltGraph = event.getModifierState("AltGraph");
    const typed = typedBy({ key, ctrlKey, altKey, metaKey, shiftKey, isAltGraph, isComposing }, { isMac });
    if (typed.kind === "browser") return;
    event.preventDefault();
    if (typed.kind === "keys" && typed.keys === "Escape") {
      if (heldEscape.current === undefined) heldEscape.current = setTimeout(sendEscape, twoEscapesMs);
      else {
        forgetEscape();
        setCaught(false);
      }
      return;
    }
    if (typed.kind === "text") type(typed.text);
    if (typed.kind === "keys") send({ type: "key", text: typed.keys });
  };
  /** What comes by no key that has a name: input methods, phones' keyboards, dictation. */
  const onBeforeInput = (event: InputEvent) => {
    if (event.isComposing) return;
    event.preventDefault();
    if (!isCaught) return;
    if (event.inputType.startsWith("delete")) send({ type: "key", text: "BackSpace" });
    else if (event.inputType === "insertLineBreak") send({ type: "key", text: "Return" });
    else if (event.data) type(event.data);
  };
  const refill = () => {
    if (field.current === null) return;
    field.current.value = filling;
    field.current.setSelectionRange(filling.length, filling.length);
  };

  return (
    <>
      <textarea
        ref={field}
        class={`live-screen-input${canPan ? " can-pan" : ""}`}
        aria-label={`Mouse and keyboard of ${name}`}
        aria-describedby={hintId}
        autocapitalize="off"
        autocomplete="off"
        spellcheck={false}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={forget}
        onContextMenu={(event) => event.preventDefault()}
        onAuxClick={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
        onWheel={onWheel}
        onKeyDown={onKeyDown}
        onBeforeInput={onBeforeInput}
        onCompositionEnd={(event) => {
          if (isCaught && event.data !== "") type(event.data);
          refill();
        }}
        onPaste={(event) => {
          event.preventDefault();
          if (isCaught) type(event.clipboardData?.getData("text/plain") ?? "");
        }}
        onFocus={() => {
          refill();
          // On a phone only the button gives the field the focus, to type.
          if (matchMedia("(pointer: coarse)").matches) setCaught(true);
        }}
        onBlur={() => setCaught(false)}
      />
      {mark === undefined ? null : (
        <span
          key={mark.id}
          class="live-screen-mark"
          aria-hidden="true"
          style={{ left: `${(mark.x / display.width) * 100}%`, top: `${(mark.y / display.height) * 100}%` }}
        />
      )}
    </>
  );
}

function isFar(
  from: Point,
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
): boolean {
  return Math.hypot(clientX - from.x, clientY - from.y) > dragPixels;
}
