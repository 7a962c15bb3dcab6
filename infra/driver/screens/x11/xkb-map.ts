import type { DisplayConnection } from "./display-connection.ts";

interface KeyType {
  readonly mask: number;
  readonly levels: readonly { readonly modifiers: number; readonly level: number }[];
}

export interface Key {
  readonly keycode: number;
  /** The server's own form can be sent back without a loss. */
  readonly wire: Buffer;
  /** Symbols are by group, then by level; 0 is no symbol. */
  readonly groups: readonly { readonly type: KeyType; readonly keysyms: readonly number[] }[];
}

const getMapMinor = 8;
const setMapMinor = 9;
const setMapBytes = 36;
/** X's first type has one level; the second has two, of which Shift selects the second. */
const oneLevelType = 0;
const twoLevelType = 1;
const keyTypesPart = 1;
const keySymsPart = 2;
const replyHeaderBytes = 32;

/**
 * The package `x11` lacks the request; it is sent as the package's own are.
 *
 * Source: https://www.x.org/releases/current/doc/kbproto/xkbproto.html, "XkbGetMap".
 */
export async function readXkbMap(connection: DisplayConnection): Promise<readonly Key[]> {
  const { client } = connection;
  const xkb = await connection.extension("xkb");
  return await connection.ask<readonly Key[]>((reply) => {
    const request = Buffer.alloc(28);
    request.writeUInt8(xkb.majorOpcode, 0);
    request.writeUInt8(getMapMinor, 1);
    request.writeUInt16LE(request.byteLength / 4, 2);
    request.writeUInt16LE(xkb.UseCoreKbd, 4);
    request.writeUInt16LE(keyTypesPart | keySymsPart, 6);
    client.seq_num += 1;
    client.replies[client.seq_num] = [parseMap, reply as never];
    client.pack_stream.put(request);
    client.pack_stream.submit(true);
  });
}

export function wireOf(keysyms: readonly number[]): Buffer {
  const wire = Buffer.alloc(8 + keysyms.length * 4);
  wire.writeUInt8(keysyms.length > 1 ? twoLevelType : oneLevelType, 0);
  wire.writeUInt8(keysyms.length === 0 ? 0 : 1, 4);
  wire.writeUInt8(keysyms.length, 5);
  wire.writeUInt16LE(keysyms.length, 6);
  for (const [level, keysym] of keysyms.entries()) wire.writeUInt32LE(keysym, 8 + level * 4);
  return wire;
}

/**
 * One request changes all keys, because programs read the whole map again at each change.
 *
 * Source: https://www.x.org/releases/current/doc/kbproto/xkbproto.html, "XkbSetMap".
 */
export async function writeXkbKeys(
  connection: DisplayConnection,
  firstKeycode: number,
  wires: readonly Buffer[],
): Promise<void> {
  const { client, display } = connection;
  const xkb = await connection.extension("xkb");
  const header = Buffer.alloc(setMapBytes);
  const body = Buffer.concat(wires);
  header.writeUInt8(xkb.majorOpcode, 0);
  header.writeUInt8(setMapMinor, 1);
  header.writeUInt16LE((setMapBytes + body.byteLength) / 4, 2);
  header.writeUInt16LE(xkb.UseCoreKbd, 4);
  header.writeUInt16LE(keySymsPart, 6);
  header.writeUInt8(display.min_keycode, 10);
  header.writeUInt8(display.max_keycode, 11);
  header.writeUInt8(firstKeycode, 14);
  header.writeUInt8(wires.length, 15);
  header.writeUInt16LE(
    wires.reduce((total, wire) => total + wire.readUInt16LE(6), 0),
    16,
  );
  client.seq_num += 1;
  client.pack_stream.put(Buffer.concat([header, body]));
  client.pack_stream.submit();
}

/** @param reply lacks its first eight bytes, as the package passes it. */
function parseMap(reply: Buffer): readonly Key[] {
  const typeCount = reply.readUInt8(7);
  const firstKey = reply.readUInt8(9);
  const keyCount = reply.readUInt8(12);
  let offset = replyHeaderBytes;

  const types: KeyType[] = [];
  for (let index = 0; index < typeCount; index += 1) {
    const entries = reply.readUInt8(offset + 5);
    const hasPreserved = reply.readUInt8(offset + 6) !== 0;
    const levels = Array.from({ length: entries }, (_, entry) => {
      const at = offset + 8 + entry * 8;
      return {
        isActive: reply.readUInt8(at) !== 0,
        modifiers: reply.readUInt8(at + 1),
        level: reply.readUInt8(at + 2),
      };
    });
    types.push({ mask: reply.readUInt8(offset), levels: levels.filter(({ isActive }) => isActive) });
    offset += 8 + entries * 8 + (hasPreserved ? entries * 4 : 0);
  }

  const keys: Key[] = [];
  for (let keycode = firstKey; keycode < firstKey + keyCount; keycode += 1) {
    const groupCount = reply.readUInt8(offset + 4) & 0x0f;
    const width = reply.readUInt8(offset + 5);
    const symbols = reply.readUInt16LE(offset + 6);
    const groups = Array.from({ length: groupCount }, (_, group) => ({
      type: types[reply.readUInt8(offset + group)] ?? { mask: 0, levels: [] },
      keysyms: Array.from({ length: width }, (_, level) =>
        reply.readUInt32LE(offset + 8 + 4 * (group * width + level)),
      ),
    }));
    const bytes = 8 + symbols * 4;
    keys.push({ keycode, groups, wire: Buffer.from(reply.subarray(offset, offset + bytes)) });
    offset += bytes;
  }
  return keys;
}
