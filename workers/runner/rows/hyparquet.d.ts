/**
 * The part of hyparquet that Dyno uses. The package’s own declarations need the types of a browser.
 */
declare module 'hyparquet' {
  export interface SchemaElement {
    readonly name: string;
    readonly type?: string;
    readonly repetition_type?: string;
    readonly num_children?: number;
    converted_type?: string;
    readonly scale?: number;
    readonly precision?: number;
    logical_type?: { readonly type: string; readonly [key: string]: unknown };
  }
  export interface FileMetaData {
    readonly schema: SchemaElement[];
    readonly num_rows: bigint;
    readonly row_groups: readonly { readonly num_rows: bigint }[];
  }
  export interface AsyncBuffer {
    readonly byteLength: number;
    slice(start: number, end?: number): Promise<ArrayBuffer>;
  }
  interface ReadOptions {
    readonly file: AsyncBuffer;
    readonly metadata?: FileMetaData;
    readonly columns?: readonly string[];
    readonly utf8?: boolean;
    readonly geoparquet?: boolean;
    readonly useOffsetIndex?: boolean;
    readonly parsers?: Readonly<Record<string, (value: never) => unknown>>;
    readonly compressors?: Readonly<Record<string, (input: Uint8Array, outputLength: number) => Uint8Array>>;
  }
  export function parquetMetadataAsync(
    file: AsyncBuffer,
    options?: { readonly geoparquet?: boolean },
  ): Promise<FileMetaData>;
  export function parquetSchema(metadata: FileMetaData): {
    readonly children: readonly { readonly element: SchemaElement; readonly children: readonly unknown[] }[];
  };
  export function parquetScan(options: ReadOptions): Promise<{
    readColumn(range: {
      readonly column: string;
      readonly rowStart: number;
      readonly rowEnd: number;
    }): Promise<ArrayLike<unknown>>;
  }>;
}
