import type { ComponentChildren, ComponentProps } from "preact";

interface ButtonProps extends Omit<ComponentProps<"button">, "type" | "onClick" | "children"> {
  readonly text: ComponentChildren;
  readonly onClick: () => unknown;
}

/** Does something on this page; a form's own button is a `<button type="submit">`. */
export function Button({ text, onClick, ...others }: ButtonProps) {
  return (
    <button type="button" {...others} onClick={() => void onClick()}>
      {text}
    </button>
  );
}
