import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";

type Metadata = Readonly<Record<string, string>>;

interface MetadataFieldsProps {
  readonly metadata: Metadata;
  readonly isReadOnly: boolean;
  readonly onMetadata: (metadata: Metadata) => void;
}

/** Pairs without a key are in no metadata yet. */
export function MetadataFields({ metadata, isReadOnly, onMetadata }: MetadataFieldsProps) {
  const [isAdding, setAdding] = useState(false);
  const pairs = [...Object.entries(metadata), ...(isAdding ? [["", ""] as const] : [])];
  const change = (next: readonly (readonly [string, string])[]) => {
    setAdding(next.some(([key]) => key === ""));
    onMetadata(Object.fromEntries(next.filter(([key]) => key !== "")));
  };
  return (
    <fieldset class="panel" disabled={isReadOnly}>
      <legend>Metadata</legend>
      <p class="hint">Your own pairs of texts, which lists filter by.</p>
      {pairs.map(([key, value], at) => (
        <div key={at} class="pair">
          <input
            aria-label={`Key ${at + 1}`}
            value={key}
            pattern="[A-Za-z0-9_.\-]+"
            onChange={(event) => change(pairs.with(at, [event.currentTarget.value, value]))}
          />
          <input
            aria-label={`Value of ${key || at + 1}`}
            value={value}
            onInput={(event) => change(pairs.with(at, [key, event.currentTarget.value]))}
          />
          <Button
            text="✕"
            class="small plain"
            aria-label={`Remove ${key || at + 1}`}
            onClick={() => change(pairs.toSpliced(at, 1))}
          />
        </div>
      ))}
      <Button text="Add a pair" class="small" disabled={isAdding} onClick={() => setAdding(true)} />
    </fieldset>
  );
}
