import type { ComponentChildren } from "preact";

interface CheckProps {
  readonly isChecked: boolean;
  readonly isOff?: boolean;
  readonly onCheck: (isChecked: boolean) => void;
  /** @default "check" */
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Check({ isChecked, isOff = false, onCheck, class: name = "check", children }: CheckProps) {
  return (
    <label class={name}>
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isOff}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      {children}
    </label>
  );
}
