import { describe, expect, it } from 'vitest';
import { formatAddress, isThisMachine, listenAddress, metricsUrl, otlpProblem } from './addresses.ts';

describe('the address of a collector', () => {
  it.each(['http://127.0.0.1:4318', 'https://otlp.example.com/otlp', 'http://[::1]:4318/'])('may be %s', (url) =>
    expect(otlpProblem(url)).toBeNull(),
  );

  it.each(['', '4318', 'collector:4318', 'grpc://127.0.0.1:4317', 'file:///etc/passwd'])('is not “%s”', (url) =>
    expect(otlpProblem(url)).toMatch(/^takes the address of a collector/),
  );

  it.each(['http://me:secret@127.0.0.1:4318', 'http://127.0.0.1/?key=secret', 'http://127.0.0.1/#secret'])(
    'has no secret: %s is refused, and the refusal does not repeat it',
    (url) => {
      const refused = otlpProblem(url);
      expect(refused).toContain('OTEL_EXPORTER_OTLP_HEADERS');
      expect(refused).not.toContain('secret');
    },
  );

  it('gets the path of metrics once, as OpenTelemetry’s variable for the address does', () => {
    expect(metricsUrl('http://127.0.0.1:4318')).toBe('http://127.0.0.1:4318/v1/metrics');
    expect(metricsUrl('http://h/api/v1/otlp/')).toBe('http://h/api/v1/otlp/v1/metrics');
    expect(metricsUrl('http://h/v1/metrics')).toBe('http://h/v1/metrics');
  });
});

describe('the address for Prometheus', () => {
  it('is a port of this machine, unless it names another host', () => {
    expect(listenAddress('9464')).toEqual({ host: '127.0.0.1', port: 9_464 });
    expect(listenAddress('0.0.0.0:9464')).toEqual({ host: '0.0.0.0', port: 9_464 });
    expect(listenAddress('[::1]:9464')).toEqual({ host: '::1', port: 9_464 });
    expect(listenAddress('localhost:1')).toEqual({ host: 'localhost', port: 1 });
  });

  it.each(['', '0', '65536', 'metrics', 'http://127.0.0.1:9464', '::1:9464', '9464/metrics', '-1'])(
    'is not “%s”',
    (text) => expect(listenAddress(text)).toBeNull(),
  );

  it('is written as in a URL, and tells if other machines reach it', () => {
    expect(formatAddress({ host: '::1', port: 9_464 })).toBe('[::1]:9464');
    expect(['127.0.0.1', 'localhost', '::1', '127.3.2.1'].map(isThisMachine)).toEqual([true, true, true, true]);
    expect(['0.0.0.0', '::', '10.0.0.7', '127.example.com'].map(isThisMachine)).toEqual([false, false, false, false]);
  });
});
