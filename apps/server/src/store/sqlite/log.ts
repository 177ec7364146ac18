import { closeSync, openSync, readSync } from "node:fs";
import { DatabaseFileError } from "./draft.ts";

// Both formats are described at https://sqlite.org/walformat.html.
const headerBytes = 32;
const frameHeaderBytes = 24;
const indexHeaderBytes = 48;

/** The readable part of a write-ahead log. */
interface LogContent {
  /** Identify a generation of the log, in its header and in each frame. `undefined` for an empty log. */
  salts?: Buffer;
  /** The number of frames before the first invalid one. */
  frames: number;
  /** The number of commits after them. */
  brokenCommits: number;
}

/** The record of the log in its index, the `-shm` file. */
interface LogIndex {
  salts: Buffer;
  /** How many frames were committed. Each is counted only after it is on disk. */
  frames: number;
  /** How many of them were copied to the database file. */
  copiedFrames: number;
}

/**
 * Checks that the write-ahead log of a database, which holds its latest changes, is complete. SQLite reads a log up to the first
 * invalid frame and later overwrites the rest, so it would mistake a damaged log for a short one.
 */
export function checkLog(file: string): void {
  for (;;) {
    const index = readIndex(file);
    const finding = examine(readLog(`${file}-wal`), parseIndex(index));
    if (finding === undefined) return;
    // If another process changed the index meanwhile, both must be read again.
    if (!index.equals(readIndex(file))) continue;
    throw new DatabaseFileError(
      `${file}-wal, which holds the latest changes, is ${finding}: restore a backup, or remove it and ${file}-shm, which loses those changes`,
    );
  }
}

function examine(log: LogContent, index: LogIndex | undefined): string | undefined {
  // A commit begins after the previous one is on disk: a power cut can break only the last one.
  if (log.brokenCommits > 1) return "damaged";
  if (index === undefined) return undefined;
  if (log.salts === undefined) return index.frames > index.copiedFrames ? "missing or empty" : undefined;
  // An index of another generation is unrelated to this log.
  return log.salts.equals(index.salts) && log.frames < index.frames ? "damaged" : undefined;
}

/** The start of the index, which all processes that use the database share; empty if there is none. */
function readIndex(file: string): Buffer {
  return withFile(`${file}-shm`, Buffer.alloc(0), (descriptor) => read(descriptor, 0, 2 * indexHeaderBytes + 4));
}

/** Reads two copies of the header, which are equal unless one is being written, and the number of copied frames. */
function parseIndex(bytes: Buffer): LogIndex | undefined {
  const header = bytes.subarray(0, indexHeaderBytes);
  const isComplete = bytes.length === 2 * indexHeaderBytes + 4 && header.equals(bytes.subarray(indexHeaderBytes, -4));
  if (!isComplete) return undefined;
  // All but the salts are in the byte order of the machine.
  const numbers = new Uint32Array(new Uint8Array(bytes).buffer);
  const [version, frames = 0, copiedFrames = 0] = [numbers[0], numbers[4], numbers.at(-1)];
  return version === 3_007_000 ? { salts: header.subarray(32, 40), frames, copiedFrames } : undefined;
}

const emptyLog: LogContent = { frames: 0, brokenCommits: 0 };
const brokenLog: LogContent = { frames: 0, brokenCommits: Infinity };

/** Reads a log the way SQLite does. */
function readLog(log: string): LogContent {
  return withFile(log, emptyLog, (descriptor) => {
    const header = read(descriptor, 0, headerBytes);
    if (header.length < headerBytes) return emptyLog; // the header is on disk before the first commit
    if (isZero(header)) return isZeroFrom(descriptor, headerBytes) ? emptyLog : brokenLog;
    const magic = header.readUInt32BE(0);
    const isLittleEndian = magic === 0x377f0682;
    const sum = addTo([0, 0], header.subarray(0, 24), isLittleEndian);
    if ((!isLittleEndian && magic !== 0x377f0683) || !isAt(header, 24, sum)) return brokenLog;
    return readFrames(descriptor, header, sum, isLittleEndian);
  });
}

function readFrames(descriptor: number, header: Buffer, headerSum: Checksum, isLittleEndian: boolean): LogContent {
  const salts = header.subarray(16, 24);
  const frameBytes = frameHeaderBytes + header.readUInt32BE(8);
  const content = { salts, frames: 0, brokenCommits: 0 };
  let sum = headerSum;
  for (let index = 0, isValid = true; ; index++) {
    const frame = read(descriptor, headerBytes + index * frameBytes, frameBytes);
    if (frame.length < frameHeaderBytes) return content;
    const hasSalts = frame.subarray(8, 16).equals(salts);
    if (isValid) {
      sum = addTo(addTo(sum, frame.subarray(0, 8), isLittleEndian), frame.subarray(frameHeaderBytes), isLittleEndian);
      isValid = frame.length === frameBytes && hasSalts && isAt(frame, 16, sum);
    }
    if (isValid) content.frames++;
    else if (hasSalts && frame.readUInt32BE(4) !== 0) content.brokenCommits++; // the last frame of a commit has a size here
  }
}

type Checksum = readonly [number, number];

/** Continues a checksum, which covers all frames so far. */
function addTo(sum: Checksum, bytes: Buffer, isLittleEndian: boolean): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length - (bytes.length % 8));
  let [first, second] = sum;
  for (let offset = 0; offset < view.byteLength; offset += 8) {
    first = (first + view.getUint32(offset, isLittleEndian) + second) >>> 0;
    second = (second + view.getUint32(offset + 4, isLittleEndian) + first) >>> 0;
  }
  return [first, second];
}

function isAt(bytes: Buffer, offset: number, [first, second]: Checksum): boolean {
  return bytes.readUInt32BE(offset) === first && bytes.readUInt32BE(offset + 4) === second;
}

function isZeroFrom(descriptor: number, start: number): boolean {
  for (let position = start; ; position += 65_536) {
    const bytes = read(descriptor, position, 65_536);
    if (bytes.length === 0) return true;
    if (!isZero(bytes)) return false;
  }
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Up to `length` bytes of a file, fewer at its end. */
export function read(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
}

/** Opens a file without checking first whether it exists: another process may remove it at any time. */
export function withFile<Result>(file: string, absent: Result, work: (descriptor: number) => Result): Result {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return absent;
    throw error;
  }
  try {
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
