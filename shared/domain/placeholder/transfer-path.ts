/** The folder, below the driver's root, for the files that a run brings along or takes away. */
export const transfersFolder = "~/Transfers";

/** The path is relative to the driver's root, as the file operations read it. */
export function isTransferPath(path: string): boolean {
  return isBelow(`~/${path.replace(/^~\//, "")}`, transfersFolder);
}

export function isBelow(path: string, folder: string): boolean {
  const inside = path.slice(folder.length);
  if (!path.startsWith(folder) || !/^[\\/]/.test(inside)) return false;
  return inside
    .slice(1)
    .split(/[\\/]/)
    .every((segment) => segment !== "" && segment !== "..");
}
