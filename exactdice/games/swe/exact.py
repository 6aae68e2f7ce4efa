"""draft"""
from collections.abc import Sequence
from gmpy2 import lcm, mpq, mpz
from exactdice.games.swe.block import Block, Exact, ScoreBounds, _scaled
from exactdice.games.swe.envelope import best, value_at
from exactdice.games.swe.rules import STANDARD, Ladder, State, empty_table

def levels(start, rounds, size):
    levels=[{start}]
    for _ in range(rounds):
        levels.append({t for T in levels[-1] for t in successors(T)})
    return levels

def successors(T):
    yield (T[0]+1,*T[1:])
    for i in range(len(T)-1):
        if T[i]:
            yield (*T[:i],T[i]-1,T[i+1]+1,*T[i+2:])

stats={'crooked':0,'cells':0,'rolled':0,'pairs':0}
def draft(rounds, ladder=STANDARD):
    start=empty_table(ladder)
    bounds=ScoreBounds.from_start(start)
    lv=levels(start.dice,rounds,len(ladder))
    launched={}
    for d in range(rounds,-1,-1):
        for T in lv[d]:
            corners=[]
            n=sum(T)
            for left in range(1,rounds-d+1):
                ex=[launched[t][left-1] for t in successors(T)]
                den=lcm(1,*(e.denominator for e in ex))
                played=rounds-left
                env=best([_scaled(e.envelope,den//e.denominator) for e in ex], bounds.least(played,n), bounds.greatest(played,n,n))
                corners.append(Exact(den,env))
            b=Block(T,ladder,corners,rounds,bounds)
            if d==0:
                e=corners[-1]
                return mpq(value_at(e.envelope,0),e.denominator), launched
            launched[T]=b.launched()
