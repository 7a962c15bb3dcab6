import type { ComponentChildren } from "preact";

interface CheckProps {
  readonly isChecked: boolean;
  readonly isOff?: boolean;
  readonly onCheck: (isChecked: boolean) => void;
  readonly children: ComponentChildren;
}

export function Check({ isChecked, isOff = false, onCheck, children }: CheckProps) {
  return (
    <label class="check">
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
