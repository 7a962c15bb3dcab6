import type { JsonObject } from "../json.ts";

/**
 * Returned and written text is not on record, so that it gets a name.
 *
 * @param inputs of the run: no saved value may hide one of them.
 */
export function workerAction(shown: JsonObject, inputs: JsonObject): JsonObject {
  if ("save_as" in shown) return shown;
  const target = shown.target === undefined ? {} : { target: shown.target };
  const saved = (wanted: string, otherwise: string) => {
    const name = nameOf(wanted) || otherwise;
    return Object.hasOwn(inputs, name) ? `saved_${name}` : name;
  };
  switch (shown.type) {
    case "copy_to_clipboard":
      return { type: shown.type, save_as: saved(String(shown.text), "clipboard"), ...target };
    case "shell":
      return { type: shown.type, command: commandOf(shown), save_as: saved("", "shell_output"), ...target };
    case "write_file": {
      if ("content" in shown) return shown;
      const path = String(shown.path);
      const content = `{${nameOf(path.split(/[\\/]/).at(-1) ?? "") || "content"}}`;
      return { type: shown.type, path, content, ...target };
    }
    default:
      return shown;
  }
}

/** An empty name means that nothing usable is left. */
function nameOf(text: string): string {
  const letters = text.replaceAll(/[^\p{L}\p{N}_-]+/gu, "_").replace(/^[^\p{L}]+|_+$/gu, "");
  return letters.slice(0, nameCharactersMax);
}

/** A suffix may set the name apart from an input's. */
const nameCharactersMax = 50;

function commandOf({ command, working_directory: folder }: JsonObject): string {
  if (folder === undefined) return String(command);
  return `cd '${String(folder).replaceAll("'", "'\\''")}' && ${String(command)}`;
}
