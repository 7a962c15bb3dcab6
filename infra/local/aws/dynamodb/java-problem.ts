/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/DynamoDBLocal.DownloadingAndRunning.html */
const javaMajorMin = 17;

/** @param versionOutput is undefined when there is no `java` command. */
export function javaProblem(versionOutput: string | undefined): string | undefined {
  const needed = `Java ${javaMajorMin} or newer is needed to run DynamoDB Local`;
  if (versionOutput === undefined) return `${needed}, but no java command was found.`;
  const version = /version "?(\d+(?:[._]\d+)*)/.exec(versionOutput)?.[1];
  if (version === undefined) return `${needed}, but the java command found does not tell its version.`;
  const [first = 0, second = 0] = version.split(/[._]/).map(Number);
  // Java 8 and older call themselves 1.8 and so on.
  const major = first === 1 ? second : first;
  return major < javaMajorMin ? `${needed}, but the java command found is version ${version}.` : undefined;
}
