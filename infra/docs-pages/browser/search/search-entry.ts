/** The kind, the title, where it stands, its address, and a sentence. A tuple, since there are thousands. */
export type SearchEntry = readonly [
  kind: string,
  title: string,
  where: string,
  address: string,
  description: string,
];
