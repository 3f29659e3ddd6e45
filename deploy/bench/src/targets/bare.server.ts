import 'reflect-metadata';
import { Controller, Get, Inject, Module, NotFoundException, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * The floor of a REST call: a NestJS route in a separate process that answers what it reads with pg, without sign-in, checks, logs or
 * metrics. Decorators are applied as functions: Node runs this file without compiling it.
 */
class DevicesController {
  private readonly pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  async list() {
    const { rows } = await this.pool.query('SELECT * FROM devices ORDER BY sort_name, id LIMIT 20');
    return { devices: rows };
  }

  async one(id: string) {
    const { rows } = await this.pool.query('SELECT * FROM devices WHERE id = $1', [id]);
    if (!rows[0]) throw new NotFoundException();
    return { result: rows[0] as object };
  }
}

function route(name: 'list' | 'one', path: string): void {
  const { prototype } = DevicesController;
  Get(path)(prototype, name, Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor);
}

class AppModule {}

Inject(pg.Pool)(DevicesController, undefined, 0);
Param('id')(DevicesController.prototype, 'one', 0);
route('list', '');
route('one', ':id');
Controller('api/devices')(DevicesController);
const connectionString = process.env['DATABASE_URL'] ?? '';
const pool = { provide: pg.Pool, useFactory: () => new pg.Pool({ connectionString }) };
Module({ controllers: [DevicesController], providers: [pool] })(AppModule);

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
process.send?.((app.getHttpServer() as { address(): AddressInfo }).address().port);
process.once('disconnect', () => process.exit());
