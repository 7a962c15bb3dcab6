import { TextField } from "../../parts/form/text-field.tsx";

interface SecretFieldsProps {
  readonly secrets: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
  readonly onText: (name: string, text: string) => void;
}

export function SecretFields({ secrets, texts, onText }: SecretFieldsProps) {
  return (
    <>
      {secrets.map((name) => (
        <TextField
          key={name}
          label={`$${name}`}
          hint="Secret: encrypted until the run has ended. Empty: the machine’s or the pool’s."
          type="password"
          autoComplete="off"
          value={texts[name] ?? ""}
          onText={(text) => onText(name, text)}
        />
      ))}
    </>
  );
}
