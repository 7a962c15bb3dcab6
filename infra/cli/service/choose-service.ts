import { UsageError } from "../program/failures.ts";
import { apiKeyOf } from "./api-key.ts";
import { findLocalStack } from "./local-stack.ts";
import { type Profile, profilesFile, readProfiles } from "./profiles.ts";
import { serviceUrl } from "./service-url.ts";

/** The name that stands for the stack of this clone. */
export const localName = "local";

export interface ChosenService {
  readonly url: string;
  readonly apiKey: string;
  /** In words, for people. */
  readonly source: string;
}

export interface ServiceChoice {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Of `--profile`. */
  readonly profile: string | undefined;
}

/**
 * The key of the environment, else that of the profile named or current, else that of the stack that runs in this clone.
 * A profile's key is sent to the profile's address alone, whatever the environment names.
 *
 * @throws {UsageError} if there is none, or if two are named that differ.
 */
export async function chooseService(choice: ServiceChoice): Promise<ChosenService> {
  const { environment } = choice;
  const apiKey = given(environment.DAS_API_KEY);
  const url = given(environment.DAS_URL);
  const named = choice.profile ?? given(environment.DAS_PROFILE);
  if (apiKey !== undefined && choice.profile !== undefined) {
    throw new UsageError("DAS_API_KEY is set and would win over --profile: unset one of them");
  }
  if (apiKey !== undefined) {
    const address = url ?? (await stored(choice, named))?.url;
    if (address === undefined) throw new UsageError("DAS_API_KEY is set, but DAS_URL is not");
    return {
      url: serviceUrl(address, "DAS_URL"),
      apiKey: apiKeyOf(apiKey, "DAS_API_KEY"),
      source: "DAS_API_KEY",
    };
  }
  const found = await stored(choice, named);
  if (found === undefined) {
    throw new UsageError(
      'there is no key yet: "das login --url URL" saves one, or set DAS_URL and DAS_API_KEY',
    );
  }
  const address = serviceUrl(found.url, "the profile");
  if (url !== undefined && serviceUrl(url, "DAS_URL") !== address) {
    throw new UsageError(
      `DAS_URL names another service than ${found.source}, whose key is not sent there: set DAS_API_KEY, too`,
    );
  }
  return {
    url: address,
    apiKey: apiKeyOf(found.api_key, `the key of ${found.source}`),
    source: found.source,
  };
}

async function stored(
  { environment, folder }: ServiceChoice,
  named: string | undefined,
): Promise<(Profile & { readonly source: string }) | undefined> {
  const { current, profiles } = await readProfiles(profilesFile(environment));
  const name = named ?? current;
  const profile = name === undefined ? undefined : profiles[name];
  if (name !== undefined && profile !== undefined) return { ...profile, source: `the profile ${name}` };
  if (named !== undefined && named !== localName) {
    throw new UsageError(`there is no profile ${named}: "das login --profile ${named} --url URL" makes it`);
  }
  const stack = await findLocalStack(folder);
  return stack && { ...stack, source: "the stack of this clone (.local/stack.json)" };
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
