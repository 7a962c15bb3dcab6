/** The folder, below the driver's root, where files go that a run brings along or takes away. */
export const transfersFolder = "~/Transfers";

/** Whether it lies below that folder: relative to the driver's root, as the file operations read it. */
export function isTransferPath(path: string): boolean {
  const segments = path.replace(/^~\//, "").split(/[\\/]/);
  const [first, ...rest] = segments;
  return (
    `~/${first}` === transfersFolder &&
    rest.length > 0 &&
    rest.every((segment) => segment !== "" && segment !== "..")
  );
}
