import { createApiClient } from "../../../shared/client/api-client.ts";
import type { Command } from "../program/command.ts";
import { UsageError } from "../program/failures.ts";
import { apiKeyOf } from "../service/api-key.ts";
import { localName } from "../service/choose-service.ts";
import { profilesFile, readProfiles, writeProfiles } from "../service/profiles.ts";
import { serviceUrl } from "../service/service-url.ts";
import { printable } from "../terminal/printable.ts";

/** A key given as an argument would stand in the shell's history and in the list of processes. */
export const loginCommand: Command = {
  noun: "",
  verb: "login",
  summary: "Saves an API key, from a prompt or from standard input",
  description: "The key is checked by one call first, and kept in a file that only you can read",
  options: [{ flags: "--url <address>", text: "The service's address; else DAS_URL, or the profile's own." }],
  examples: ["das login --url https://api.example.com", "das login --profile nightly < key-file"],
  run: async ({ terminal, profile, fetch, signal }, { options }) => {
    const name = profile ?? "default";
    if (!/^[\w.-]{1,64}$/.test(name) || name === localName || name === "__proto__") {
      throw new UsageError(
        `a profile's name is of letters, digits, ".", "_" and "-", and not ${localName}, which is the stack of a clone`,
      );
    }
    const file = profilesFile(terminal.environment);
    const before = await readProfiles(file);
    const address = options.url ?? terminal.environment.DAS_URL ?? before.profiles[name]?.url;
    if (address === undefined) throw new UsageError("--url says where the service is");
    const url = serviceUrl(String(address), "--url");
    const key = terminal.isInteractive
      ? await terminal.askSecret(`API key for ${url}: `)
      : new TextDecoder().decode(await terminal.readInput());
    const apiKey = apiKeyOf(key, "what was given");
    const client = createApiClient({ baseUrl: url, credentials: apiKey, fetch });
    const caller = await client.call("getCaller", { signal });
    await writeProfiles(file, {
      current: name,
      profiles: { ...before.profiles, [name]: { url, api_key: apiKey } },
    });
    terminal.err(`logged in to ${url} as a key of ${printable(caller.organization_id)}, profile ${name}\n`);
    return undefined;
  },
};
