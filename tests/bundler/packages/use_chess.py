"""A single large module of rules, with submodules; moves are read from stdin."""

import io

import chess
import chess.pgn
import chess.svg
from chess import Board, Move, polyglot


def perft(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


board = Board()
print(perft(board, 2), hex(polyglot.zobrist_hash(board)))
while line := input():
    try:
        print(line, board.san(board.parse_san(line)), end=" ")
        board.push_san(line)
    except ValueError as error:
        print(type(error).__module__, type(error).__name__, error, end=" ")
print(board, board.fen(), sorted(map(str, board.attacks(chess.F3)))[:3], sep="\n")
game = chess.pgn.read_game(io.StringIO('[Event "?"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 *'))
print(game.mainline_moves(), repr(Move.from_uci("e7e8q")), len(chess.svg.board(board)))
print(game.accept(chess.pgn.StringExporter(headers=False)), chess.Piece.from_symbol("q"))
board.push_san("Ke5")
