import { useEffect, useState } from "preact/hooks";

interface CopyButtonProps {
  readonly text: string;
  /** @default "Copy" */
  readonly label?: string;
}

export function CopyButton({ text, label = "Copy" }: CopyButtonProps) {
  const [said, setSaid] = useState<string | undefined>();
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => setSaid(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("The browser does not let the page copy");
    }
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}
