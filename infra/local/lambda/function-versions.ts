import { AwsError, notImplemented } from "../aws/aws-error.ts";
import type { FunctionModel } from "../template/application.ts";

/** What the API tells of a function's versions, the unpublished code first. */
export function listVersions(fn: FunctionModel): object {
  const versions = ["$LATEST", ...fn.versions];
  return {
    Versions: versions.map((version) => ({
      FunctionName: fn.name,
      FunctionArn: `${fn.arn}:${version}`,
      Version: version,
    })),
  };
}

export function listAliases({ arn, aliases }: FunctionModel): object {
  const named = Object.entries(aliases);
  return {
    Aliases: named.map(([name, version]) => ({
      AliasArn: `${arn}:${name}`,
      Name: name,
      FunctionVersion: version,
    })),
  };
}

/** Versions that were removed since the template was read. */
export class RemovedVersions {
  readonly #removed = new Set<string>();

  /** The function as it is now. */
  present(fn: FunctionModel): FunctionModel {
    return { ...fn, versions: fn.versions.filter((version) => !this.#removed.has(`${fn.arn}:${version}`)) };
  }

  /**
   * Source: https://docs.aws.amazon.com/lambda/latest/api/API_DeleteFunction.html
   *
   * @throws {AwsError} ResourceConflictException for one that an alias names, ResourceNotFoundException.
   */
  remove(fn: FunctionModel, version: string | undefined): void {
    if (version === undefined) throw notImplemented("Lambda's DeleteFunction of all versions");
    const arn = `${fn.arn}:${version}`;
    if (Object.values(fn.aliases).includes(version)) {
      throw new AwsError(409, "ResourceConflictException", `Version ${version} is referenced by an alias`);
    }
    if (!fn.versions.includes(version)) {
      throw new AwsError(404, "ResourceNotFoundException", `Function not found: ${arn}`);
    }
    this.#removed.add(arn);
  }
}
